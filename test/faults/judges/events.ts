import { createHmac } from 'node:crypto';
import { type Outcome, outcomes } from '#contract/enums.ts';
import {
  bodyOf,
  type Evidence,
  type Finding,
  found,
  groups,
  keptReceived,
  type Received,
  type Stored,
} from '../evidence.ts';
import { type Item, seedOf } from '../items.ts';

/** A machine approves nobody in live. In sandbox the outcome is the one that was asked for. */
function allowedOutcomes({ environment, ending, scenario }: Item): readonly Outcome[] {
  if (environment === 'live') return ['review'];
  return ending === 'by many at once' ? outcomes : [scenario];
}

/** Every verdict and every event must have an outcome that somebody asked for. */
export function judgeOutcomes({ items, stored, received }: Evidence): Finding[] {
  const itemOf = new Map(items.map((item) => [item.key, item]));
  const isAllowed = (reference: string, outcome: string) => {
    const item = itemOf.get(reference);
    return item !== undefined && allowedOutcomes(item).some((each) => each === outcome);
  };
  return [
    ...stored.verifications.flatMap(({ reference, outcome }) =>
      outcome === null || isAllowed(reference, outcome)
        ? []
        : [found('forged', seedOf(reference), `${reference} is ${outcome}, which nobody asked for`)],
    ),
    ...received.flatMap((line) => {
      const { reference, outcome } = bodyOf(line).data;
      return isAllowed(reference, outcome)
        ? []
        : [found('forged', seedOf(reference), `${reference}: an event says ${outcome}`)];
    }),
  ];
}

/**
 * Each completed verification must have one event, and all others none. The receiver must never get two events of one verification,
 * even if the database has forgotten the first and made it again.
 */
export function judgeEvents({ received, stored }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const events = groups(stored.events, ({ verification_id }) => verification_id);
  for (const { id, reference, status } of stored.verifications) {
    const count = events.get(id)?.length ?? 0;
    if (count !== (status === 'completed' ? 1 : 0))
      findings.push(found('event', seedOf(reference), `${reference} is ${status} and has ${count} events`));
  }
  for (const [id, lines] of groups(received, (line) => bodyOf(line).data.verification_id)) {
    const ids = new Set(lines.map(({ eventId }) => eventId));
    if (ids.size > 1)
      findings.push(found('event', seedOfLines(lines), `${id}: ${ids.size} events were received`));
  }
  return findings;
}

const seedOfLines = ([first]: Received[]) => first && seedOf(bodyOf(first).data.reference);

const skewSecondsMax = 300;

/**
 * The received bytes must be the stored bytes in every attempt. Their signature must be valid, and made at a time that a receiver
 * accepts.
 */
export function judgeBytes(evidence: Evidence): Finding[] {
  const { secrets, stored, received } = evidence;
  const storedBytes = new Map(stored.events.map(({ id, body }) => [id, body.toString('base64')]));
  const others = keptReceived(evidence).filter(({ eventId, body }) => storedBytes.get(eventId) !== body);
  const { unsigned = [], late = [] } = Object.groupBy(received, (line) =>
    !isSignedBy(secrets[line.path] ?? '', line) ? 'unsigned' : isInTime(line) ? 'right' : 'late',
  );
  const name = ({ path, eventId }: Received) => `${path} received ${eventId}`;
  const seed = (line: Received) => seedOf(bodyOf(line).data.reference);
  return [
    ...others.map((line) => found('bytes', seed(line), `${name(line)} with other bytes than are stored`)),
    ...unsigned.map((line) => found('forged', seed(line), `${name(line)} with a wrong signature`)),
    ...late.map((line) => found('clock', seed(line), `${name(line)} with a signature of another time`)),
  ];
}

const partsOf = ({ signature }: Received) =>
  /^t=(?<time>\d+),v1=(?<mac>[0-9a-f]{64})$/.exec(signature)?.groups ?? {};

function isSignedBy(secret: string, line: Received): boolean {
  const { time = '', mac } = partsOf(line);
  const bytes = Buffer.from(line.body, 'base64');
  return mac === createHmac('sha256', secret).update(`${time}.`).update(bytes).digest('hex');
}

const isInTime = (line: Received): boolean =>
  Math.abs(Number(partsOf(line).time) - line.at / 1_000) <= skewSecondsMax;

/** Each event must have one delivery for each endpoint. */
export function judgeFanOut({ secrets, stored }: Evidence): Finding[] {
  const paths = Object.keys(secrets).toSorted().join();
  const seedOfEvent = seedsOfEvents(stored);
  const deliveriesOf = groups(stored.deliveries, ({ event_id }) => event_id);
  return stored.events.flatMap(({ id }) => {
    const own = (deliveriesOf.get(id) ?? []).map(({ path }) => path).toSorted();
    return own.join() === paths
      ? []
      : [found('event', seedOfEvent.get(id), `${id} has deliveries to "${own}" instead of "${paths}"`)];
  });
}

export const seedsOfEvents = ({ events, verifications }: Stored): Map<string, number | undefined> => {
  const references = new Map(verifications.map(({ id, reference }) => [id, reference]));
  return new Map(
    events.map(({ id, verification_id }) => [id, seedOf(references.get(verification_id) ?? '')]),
  );
};
