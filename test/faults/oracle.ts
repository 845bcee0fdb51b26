import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ClientLine } from './client.ts';

/** What client and receiver saw, and what the database holds. The verdict compares the two and never calls the product. */
export type Evidence = {
  client: ClientLine[];
  received: Received[];
  rounds: Round[];
  /** The path at the receiver, mapped to the secret of its endpoint. */
  secrets: Record<string, string>;
  stored: Stored;
};

export type Round = {
  number: number;
  fault: string;
  mayRepeat: boolean;
  hit: boolean;
  startedAt: number;
  /** Parts that ended although nobody had killed them. */
  casualties: string[];
};

export type Received = {
  at: number;
  path: string;
  eventId: string;
  signature: string;
  body: string;
  status: number;
};

export type Stored = {
  requests: { id: string; idempotency_key: string; status: string }[];
  verifications: { id: string; reference: string; status: string }[];
  events: { id: string; verification_id: string; body: Buffer }[];
  deliveries: { id: string; event_id: string; path: string; status: string; overdue: boolean }[];
  attempts: { delivery_id: string; number: number; started_at: Date; outcome: string | null }[];
  ledger: {
    subject_id: string;
    sequence: number;
    type: string;
    data: unknown;
    previous_hash: Buffer;
    hash: Buffer;
    created_at: Date;
  }[];
};

/** What went wrong, with a kind that the report counts. `round` is undefined if the round is unknown. */
export type Finding = { kind: Kind; round: number | undefined; line: string };
export type Kind =
  | 'lost'
  | 'doubled'
  | 'not acknowledged'
  | 'unexpected answer'
  | 'event'
  | 'bytes'
  | 'stuck'
  | 'attempts'
  | 'not reached'
  | 'died by itself'
  | 'late duplicate'
  | 'ledger';

const found = (kind: Kind, round: number | undefined, line: string): Finding => ({ kind, round, line });

export function judge(evidence: Evidence): { findings: Finding[]; lateDuplicates: Map<number, number> } {
  const { lateDuplicates, findings } = judgeDuplicates(evidence);
  return {
    lateDuplicates,
    findings: [
      ...judgeRounds(evidence),
      ...judgeAnswers(evidence),
      ...judgeRows(evidence),
      ...judgeCompletions(evidence),
      ...judgeEvents(evidence),
      ...judgeBytes(evidence),
      ...judgeFanOut(evidence),
      ...judgeDeliveries(evidence),
      ...judgeAttempts(evidence),
      ...findings,
      ...judgeLedger(evidence.stored.ledger),
    ],
  };
}

const groups = <Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry[]> =>
  Map.groupBy(entries, keyOf);

const idOf = (line: ClientLine): string => (JSON.parse(line.body) as { id: string }).id;
const isCreate = ({ act }: ClientLine) => act !== 'complete';
export const roundOf = (key: string): number | undefined => {
  const number = /^round-(\d+)-/.exec(key)?.[1];
  return number === undefined ? undefined : Number(number);
};

/** Every fault must have happened, and it must not have ended any other part. */
const judgeRounds = ({ rounds }: Evidence): Finding[] =>
  rounds.flatMap(({ number, fault, hit, casualties }) => [
    ...(hit ? [] : [found('not reached', number, `round ${number}: "${fault}" did not come about`)]),
    ...casualties.map((part) =>
      found('died by itself', number, `round ${number}: "${fault}" made the ${part} end`),
    ),
  ]);

const expectedStatuses = { create: [0, 201, 503], replay: [0, 201, 503], complete: [0, 200, 409, 503] };

/** One key must always give one id and the same bytes. Only statuses that the interface promises are allowed. */
function judgeAnswers({ client }: Evidence): Finding[] {
  const findings: Finding[] = [];
  for (const { act, status, body, key, round } of client)
    if (!expectedStatuses[act].includes(status))
      findings.push(found('unexpected answer', round, `${key}: ${act} was answered ${status} ${body}`));
  for (const [key, lines] of groups(client.filter(isCreate), ({ key }) => key)) {
    const round = roundOf(key);
    const answers = lines.filter(({ status }) => status === 201);
    const bodies = new Set(answers.map(({ body }) => body));
    const ids = new Set(answers.map(idOf));
    if (answers.length === 0)
      findings.push(found('not acknowledged', round, `${key} was never answered 201`));
    if (ids.size > 1) findings.push(found('doubled', round, `${key} was answered with ${ids.size} ids`));
    else if (bodies.size > 1)
      findings.push(found('doubled', round, `${key} was answered with ${bodies.size} different bodies`));
  }
  return findings;
}

/** Every acknowledged verification must be stored exactly once. */
function judgeRows({ client, stored }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const ids = new Set(stored.verifications.map(({ id }) => id));
  for (const line of client)
    if (isCreate(line) && line.status === 201 && !ids.has(idOf(line)))
      findings.push(
        found('lost', line.round, `${line.key}: ${idOf(line)} was acknowledged and is not stored`),
      );
  for (const [key, rows] of groups(stored.verifications, ({ reference }) => reference))
    if (rows.length > 1)
      findings.push(found('doubled', roundOf(key), `${key} has ${rows.length} verifications`));
  for (const [key, rows] of groups(stored.requests, ({ idempotency_key }) => idempotency_key))
    if (rows.length > 1)
      findings.push(found('doubled', roundOf(key), `${key} was claimed ${rows.length} times`));
  return findings;
}

/** Every acknowledged completion must hold. A 409 is allowed only if an earlier attempt of the same caller may have succeeded. */
function judgeCompletions({ client, stored }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const statusOf = new Map(stored.verifications.map(({ reference, status }) => [reference, status]));
  const completions = client.filter(({ act }) => act === 'complete');
  for (const [key, lines] of groups(completions, ({ key }) => key)) {
    const last = lines.at(-1);
    const acknowledged = last?.status === 200 || last?.status === 409;
    if (!acknowledged)
      findings.push(found('not acknowledged', roundOf(key), `${key}: its completion was never answered`));
    if (acknowledged && statusOf.get(key) !== 'completed')
      findings.push(
        found('lost', roundOf(key), `${key}: its completion was acknowledged, it is ${statusOf.get(key)}`),
      );
    if (lines[0]?.status === 409)
      findings.push(found('doubled', roundOf(key), `${key}: the first call to complete it was answered 409`));
  }
  return findings;
}

/**
 * Each completed verification must have one event, and all others none. The receiver must never get two events of one verification.
 */
function judgeEvents({ received, stored }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const events = groups(stored.events, ({ verification_id }) => verification_id);
  for (const { id, reference, status } of stored.verifications) {
    const count = events.get(id)?.length ?? 0;
    if (count !== (status === 'completed' ? 1 : 0))
      findings.push(found('event', roundOf(reference), `${reference} is ${status} and has ${count} events`));
  }
  for (const [reference, lines] of groups(received, referenceOf)) {
    const ids = new Set(lines.map(({ eventId }) => eventId));
    if (ids.size > 1)
      findings.push(found('event', roundOf(reference), `${reference}: ${ids.size} events were received`));
  }
  return findings;
}

const referenceOf = ({ body }: Received): string =>
  (JSON.parse(Buffer.from(body, 'base64').toString()) as { data: { reference: string } }).data.reference;

/** The received bytes must be the stored bytes in every attempt, and their signature must be valid. */
function judgeBytes({ received, secrets, stored }: Evidence): Finding[] {
  const bodyOf = new Map(stored.events.map(({ id, body }) => [id, body.toString('base64')]));
  return received.flatMap((line) => {
    const round = roundOf(referenceOf(line));
    const { eventId, path, body } = line;
    return [
      bodyOf.get(eventId) === body
        ? []
        : found('bytes', round, `${path} received other bytes of ${eventId} than are stored`),
      isSignedBy(secrets[path] ?? '', line)
        ? []
        : found('bytes', round, `${path} received ${eventId} with a wrong signature`),
    ].flat();
  });
}

function isSignedBy(secret: string, { signature, body }: Received): boolean {
  const { time = '', mac } = /^t=(?<time>\d+),v1=(?<mac>[0-9a-f]{64})$/.exec(signature)?.groups ?? {};
  return (
    mac === createHmac('sha256', secret).update(`${time}.`).update(Buffer.from(body, 'base64')).digest('hex')
  );
}

/** Each event must have one delivery for each endpoint. */
function judgeFanOut({ secrets, stored }: Evidence): Finding[] {
  const paths = Object.keys(secrets).toSorted().join();
  const roundOfEvent = roundsOfEvents(stored);
  const deliveriesOf = groups(stored.deliveries, ({ event_id }) => event_id);
  return stored.events.flatMap(({ id }) => {
    const own = (deliveriesOf.get(id) ?? []).map(({ path }) => path).toSorted();
    return own.join() === paths
      ? []
      : [found('event', roundOfEvent.get(id), `${id} has deliveries to "${own}" instead of "${paths}"`)];
  });
}

/**
 * No delivery may be overdue. A delivered one must have been accepted by its receiver. A failed one must have made six attempts, and no
 * delivery to `/good` may fail.
 */
function judgeDeliveries({ received, stored }: Evidence): Finding[] {
  const attempts = groups(stored.attempts, ({ delivery_id }) => delivery_id);
  const seen = groups(received, ({ eventId, path }) => path + eventId);
  const roundOfEvent = roundsOfEvents(stored);
  return stored.deliveries.flatMap((delivery) => {
    const { id, event_id, path, status } = delivery;
    const made = attempts.get(id)?.length ?? 0;
    const accepted = (seen.get(path + event_id) ?? []).some((line) => line.status < 300);
    const fault = deliveryFault(delivery, made, accepted);
    if (fault === undefined) return [];
    const name = `delivery ${id} of ${event_id} to ${path} is ${status} after ${made} attempts`;
    return [found(fault.kind, roundOfEvent.get(event_id), `${name}: ${fault.why}`)];
  });
}

function deliveryFault(
  { path, status, overdue }: Stored['deliveries'][number],
  made: number,
  accepted: boolean,
) {
  if (overdue) return { kind: 'stuck', why: 'it is overdue' } as const;
  if (status === 'delivered' && !accepted)
    return { kind: 'lost', why: 'the receiver never said 2xx' } as const;
  if (status === 'failed' && made !== 6) return { kind: 'attempts', why: 'six were due' } as const;
  if (status === 'failed' && path === '/good')
    return { kind: 'lost', why: 'this receiver accepts everything' } as const;
  return undefined;
}

const roundsOfEvents = ({ events, verifications }: Stored): Map<string, number | undefined> => {
  const references = new Map(verifications.map(({ id, reference }) => [id, reference]));
  return new Map(
    events.map(({ id, verification_id }) => [id, roundOf(references.get(verification_id) ?? '')]),
  );
};

const clockToleranceMs = 5;

/**
 * There must be no seventh attempt. A request belongs to the attempt whose row was written last before it. No two requests may
 * belong to one attempt.
 */
function judgeAttempts({ received, stored }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const attempts = groups(stored.attempts, ({ delivery_id }) => delivery_id);
  const seen = groups(received, ({ eventId, path }) => path + eventId);
  const roundOfEvent = roundsOfEvents(stored);
  for (const { id, event_id, path } of stored.deliveries) {
    const round = roundOfEvent.get(event_id);
    const rows = (attempts.get(id) ?? []).toSorted((a, b) => a.number - b.number);
    const requests = (seen.get(path + event_id) ?? []).toSorted((a, b) => a.at - b.at);
    const name = `delivery ${id} to ${path}`;
    if (rows.length > 6 || requests.length > 6)
      findings.push(
        found(
          'attempts',
          round,
          `${name}: a seventh attempt (${rows.length} rows, ${requests.length} requests)`,
        ),
      );
    const sent = new Set<number>();
    for (const { at } of requests) {
      const number = rows.findLast(({ started_at }) => started_at.getTime() <= at + clockToleranceMs)?.number;
      if (number === undefined)
        findings.push(found('attempts', round, `${name}: a request came before the row of its attempt`));
      else if (sent.has(number))
        findings.push(found('attempts', round, `${name}: attempt ${number} was sent twice`));
      else sent.add(number);
    }
  }
  return findings;
}

/** A request after a 2xx is allowed only if the fault can lose the outcome of an attempt and an outcome was lost. */
function judgeDuplicates({ received, rounds, stored }: Evidence) {
  const findings: Finding[] = [];
  const lateDuplicates = new Map<number, number>();
  const deliveries = new Map(
    stored.deliveries.map((delivery) => [delivery.path + delivery.event_id, delivery.id]),
  );
  const attempts = groups(stored.attempts, ({ delivery_id }) => delivery_id);
  for (const [place, lines] of groups(received, ({ eventId, path }) => path + eventId)) {
    const inOrder = lines.toSorted((a, b) => a.at - b.at);
    const accepted = inOrder.findIndex(({ status }) => status < 300);
    const extra = accepted === -1 ? 0 : inOrder.length - accepted - 1;
    if (extra === 0) continue;
    const at = inOrder[accepted]?.at ?? 0;
    const round = rounds.findLast(({ startedAt }) => startedAt <= at);
    const number = round?.number ?? 0;
    lateDuplicates.set(number, (lateDuplicates.get(number) ?? 0) + extra);
    const rows = attempts.get(deliveries.get(place) ?? '') ?? [];
    const unknown = rows.some(({ outcome }) => outcome === 'outcome_unknown');
    if (!round?.mayRepeat || !unknown)
      findings.push(
        found('late duplicate', number, `${place} was sent again after a 2xx, with "${round?.fault}"`),
      );
  }
  return { findings, lateDuplicates };
}

/** The chain of hashes is computed again with only RFC 8785 and SHA-256. */
function judgeLedger(lines: Stored['ledger']): Finding[] {
  const findings: Finding[] = [];
  for (const [subject, chain] of groups(lines, ({ subject_id }) => subject_id)) {
    let previous = Buffer.alloc(32);
    chain
      .toSorted((a, b) => a.sequence - b.sequence)
      .forEach((line, index) => {
        const text = canonicalize({
          subject_id: subject,
          sequence: index + 1,
          previous_hash: previous.toString('hex'),
          type: line.type,
          at: line.created_at.toISOString(),
          data: line.data,
        });
        const hash = createHash('sha256').update(String(text)).digest();
        if (line.sequence !== index + 1 || !line.previous_hash.equals(previous) || !line.hash.equals(hash))
          findings.push(found('ledger', undefined, `${subject}: line ${line.sequence} breaks the chain`));
        previous = line.hash as typeof previous;
      });
    const types = chain.map(({ type }) => type);
    if (new Set(types).size !== types.length)
      findings.push(found('ledger', undefined, `${subject}: the same step stands there twice (${types})`));
  }
  return findings;
}
