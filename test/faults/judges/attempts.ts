import {
  type Evidence,
  type Finding,
  found,
  groups,
  keptReceived,
  type Received,
  roundAt,
  type Stored,
} from '../evidence.ts';
import { seedsOfEvents } from './events.ts';

type Attempt = Stored['attempts'][number];

/**
 * No delivery may be overdue or wait in a queue. A delivered one must have been accepted by its receiver. A failed one must have made six
 * attempts, and no delivery to `/good` may fail.
 */
export function judgeDeliveries({ received, stored }: Evidence): Finding[] {
  const attempts = groups(stored.attempts, ({ delivery_id }) => delivery_id);
  const seen = groups(received, ({ eventId, path }) => path + eventId);
  const seedOfEvent = seedsOfEvents(stored);
  return stored.deliveries.flatMap((delivery) => {
    const { id, event_id, path, status } = delivery;
    const made = attempts.get(id)?.length ?? 0;
    const accepted = (seen.get(path + event_id) ?? []).some((line) => line.status < 300);
    const fault = deliveryFault(delivery, made, accepted);
    if (fault === undefined) return [];
    const name = `delivery ${id} of ${event_id} to ${path} is ${status} after ${made} attempts`;
    return [found(fault.kind, seedOfEvent.get(event_id), `${name}: ${fault.why}`)];
  });
}

function deliveryFault(
  { path, status, overdue }: Stored['deliveries'][number],
  made: number,
  accepted: boolean,
) {
  if (overdue) return { kind: 'stuck', why: 'it is overdue or queued' } as const;
  if (status === 'delivered' && !accepted)
    return { kind: 'lost', why: 'the receiver never said 2xx' } as const;
  if (status === 'failed' && made !== 6) return { kind: 'attempts', why: 'six were due' } as const;
  if (status === 'failed' && path === '/good')
    return { kind: 'lost', why: 'this receiver accepts everything' } as const;
  return undefined;
}

const clockToleranceMs = 5;

/** There must be no seventh attempt, and no two requests may belong to one attempt. */
export function judgeAttempts(evidence: Evidence): Finding[] {
  const { stored } = evidence;
  const findings: Finding[] = [];
  const attempts = groups(stored.attempts, ({ delivery_id }) => delivery_id);
  const seen = groups(keptReceived(evidence), ({ eventId, path }) => path + eventId);
  const seedOfEvent = seedsOfEvents(stored);
  for (const { id, event_id, path } of stored.deliveries) {
    const rows = (attempts.get(id) ?? []).toSorted((a, b) => a.number - b.number);
    const requests = (seen.get(path + event_id) ?? []).toSorted((a, b) => a.at - b.at);
    const isLate = requests.some(({ at }) => roundAt(evidence, at)?.maySendLate);
    const faults = [...countFaults(rows, requests), ...(isLate ? lateFaults : orderFaults)(rows, requests)];
    for (const fault of faults)
      findings.push(found('attempts', seedOfEvent.get(event_id), `delivery ${id} to ${path}: ${fault}`));
  }
  return findings;
}

const countFaults = (rows: Attempt[], requests: Received[]): string[] =>
  rows.length > 6 || requests.length > 6
    ? [`a seventh attempt (${rows.length} rows, ${requests.length} requests)`]
    : [];

const startedBy = (at: number) => (row: Attempt) => row.started_at.getTime() <= at + clockToleranceMs;

/** A request belongs to the attempt whose row was written last before it. */
function orderFaults(rows: Attempt[], requests: Received[]): string[] {
  const sent = new Set<number>();
  return requests.flatMap(({ at }) => {
    const number = rows.findLast(startedBy(at))?.number;
    if (number === undefined) return ['a request came before the row of its attempt'];
    if (sent.has(number)) return [`attempt ${number} was sent twice`];
    sent.add(number);
    return [];
  });
}

/** If requests may leave late, it is not known which attempt a request belongs to. Each still needs an earlier row of its own. */
const lateFaults = (rows: Attempt[], requests: Received[]): string[] =>
  requests.flatMap(({ at }, index) =>
    rows.filter(startedBy(at)).length > index ? [] : [`request ${index + 1} has no attempt of its own`],
  );

/**
 * A request after a 2xx is allowed only if the fault can lose an answer, and only as often as answers were lost. An answer that comes
 * late is recorded in the end, so a process that stood still may have lost one without a trace.
 */
export function judgeDuplicates(evidence: Evidence) {
  const { stored } = evidence;
  const findings: Finding[] = [];
  const lateDuplicates = new Map<number, number>();
  const deliveries = new Map(
    stored.deliveries.map((delivery) => [delivery.path + delivery.event_id, delivery.id]),
  );
  const attempts = groups(stored.attempts, ({ delivery_id }) => delivery_id);
  for (const [place, lines] of groups(keptReceived(evidence), ({ eventId, path }) => path + eventId)) {
    const inOrder = lines.toSorted((a, b) => a.at - b.at);
    const accepted = inOrder.findIndex(({ status }) => status < 300);
    const extra = accepted === -1 ? 0 : inOrder.length - accepted - 1;
    if (extra === 0) continue;
    const round = roundAt(evidence, inOrder[accepted]?.at ?? 0);
    const seed = round?.seed ?? 0;
    lateDuplicates.set(seed, (lateDuplicates.get(seed) ?? 0) + extra);
    const rows = attempts.get(deliveries.get(place) ?? '') ?? [];
    const inFlight = Math.max(rows.filter(hasLostAnswer).length, round?.maySendLate ? 1 : 0);
    if (!round?.mayRepeat || extra > inFlight)
      findings.push(
        found('late duplicate', seed, `${place} was sent again after a 2xx, with "${round?.fault}"`),
      );
  }
  return { findings, lateDuplicates };
}

/** True if the request may have arrived and no answer is recorded. */
const hasLostAnswer = ({ outcome, phase, response_status }: Attempt): boolean =>
  outcome === 'outcome_unknown' ||
  (outcome === 'failed' && response_status === null && (phase === 'send' || phase === 'headers'));
