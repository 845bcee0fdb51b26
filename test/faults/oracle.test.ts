import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import type { ClientLine } from './client.ts';
import type { Evidence, Received, Round } from './evidence.ts';
import type { Item } from './items.ts';
import { judge } from './oracle.ts';

/** The evidence of one verification that went well. Each row below makes one thing in it wrong. */
const key = 'round-1-item-1';
const item: Item = {
  seed: 1,
  key,
  environment: 'sandbox',
  ending: 'at birth',
  scenario: 'approved',
  thinks: 0,
};
const answer = JSON.stringify({ id: 'v1' });
const line: ClientLine = { at: 100, ms: 5, key, act: 'create', status: 201, body: answer };
const data = { verification_id: 'v1', reference: key, outcome: 'approved' };
const body = Buffer.from(JSON.stringify({ id: 'evt_1', data }));
const secret = 'whsec_1';
const signedAt = (seconds: number) =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
const request: Received = {
  at: 1_000,
  path: '/good',
  eventId: 'evt_1',
  signature: signedAt(1),
  body: body.toString('base64'),
  status: 200,
};
const attempt = {
  delivery_id: 'd1',
  number: 1,
  started_at: new Date(900),
  outcome: 'delivered',
  phase: 'headers',
  response_status: 200,
};
const delivery = { id: 'd1', event_id: 'evt_1', path: '/good', status: 'delivered', overdue: false };
const verification = {
  id: 'v1',
  reference: key,
  environment: 'sandbox',
  status: 'completed',
  submitted: false,
  outcome: 'approved',
};
const round: Round = {
  seed: 1,
  fault: 'API killed',
  detail: '',
  mayRepeat: false,
  maySendLate: false,
  hit: true,
  startedAt: 0,
  lost: undefined,
  casualties: [],
};

type LedgerLine = Evidence['stored']['ledger'][number];

/** A chain with these types of lines. */
function chainOf(types: string[], about: object = { a: 1 }): LedgerLine[] {
  const lines: LedgerLine[] = [];
  for (const [index, type] of types.entries()) {
    const previous = lines.at(-1)?.hash ?? Buffer.alloc(32);
    const created = { type, created_at: new Date(500), data: about };
    const text = canonicalize({
      subject_id: 'v1',
      sequence: index + 1,
      previous_hash: previous.toString('hex'),
      type,
      at: created.created_at.toISOString(),
      data: about,
    });
    const hash = createHash('sha256').update(String(text)).digest();
    lines.push({ ...created, subject_id: 'v1', sequence: index + 1, previous_hash: previous, hash });
  }
  return lines;
}

const good = (): Evidence => ({
  items: [item],
  client: [line, { ...line, act: 'replay' }],
  received: [request],
  rounds: [{ ...round }],
  secrets: { '/good': secret },
  stored: {
    requests: [{ id: 'v1', idempotency_key: key, status: 'answered' }],
    verifications: [verification],
    events: [{ id: 'evt_1', verification_id: 'v1', body }],
    deliveries: [delivery],
    attempts: [attempt],
    ledger: chainOf(['verification.created']),
  },
  running: [],
});

const steps = ['created', 'started', 'submitted', 'completed'].map((step) => `verification.${step}`);

/** The same verification, completed by a person who was thanked. */
function walked(): Evidence {
  const evidence = good();
  evidence.items = [{ ...item, ending: 'by a person' }];
  evidence.client.push({ ...line, act: 'submit', status: 303 }, { ...line, act: 'thanked', status: 200 });
  evidence.stored.verifications = [{ ...verification, submitted: true }];
  evidence.stored.ledger = chainOf(steps, { evidence: [{ kind: 'passport_page' }, { kind: 'selfie' }] });
  return evidence;
}

/** The same verification, completed by one of two commands at once. */
function contended(): Evidence {
  const evidence = good();
  const verdict = (outcome: string) => JSON.stringify({ verdict: { outcome } });
  evidence.items = [{ ...item, ending: 'by many at once' }];
  evidence.client.push(
    { ...line, act: 'command', status: 200, asked: 'approved', body: verdict('approved') },
    { ...line, act: 'command', status: 409, asked: 'review', body: '{}' },
  );
  return evidence;
}

const kindsOf = (evidence: Evidence) => [...new Set(judge(evidence).findings.map(({ kind }) => kind))];
const seven = [1, 2, 3, 4, 5, 6, 7];

test.each([good, walked, contended])('the oracle finds no fault in a run without faults: %o', (evidence) => {
  expect(judge(evidence()).findings).toEqual([]);
});

test.each<[string, string, (evidence: Evidence) => void]>([
  ['an acknowledged verification without a row', 'lost', ({ stored }) => stored.verifications.pop()],
  ['two ids for one key', 'doubled', ({ client }) => client.push({ ...line, body: '{"id":"v2"}' })],
  ['two bodies for one key', 'doubled', ({ client }) => client.push({ ...line, body: '{ "id":"v1"}' })],
  [
    'two rows for one key',
    'doubled',
    ({ stored }) => stored.verifications.push({ ...verification, id: 'v2', status: 'pending' }),
  ],
  ['a key that was never answered', 'not acknowledged', (evidence) => spoilAnswers(evidence, 503)],
  ['an answer that nobody promised', 'unexpected answer', (evidence) => spoilAnswers(evidence, 500)],
  [
    'an acknowledged completion that does not hold',
    'lost',
    ({ client, stored }) => {
      client.push({ ...line, act: 'complete', status: 200 });
      stored.verifications = [{ ...verification, status: 'pending' }];
    },
  ],
  ['a completed verification without an event', 'event', ({ stored }) => stored.events.pop()],
  ['an event without a delivery', 'event', ({ stored }) => stored.deliveries.pop()],
  ['other bytes than are stored', 'bytes', ({ stored }) => spoilBody(stored)],
  ['a wrong signature', 'forged', (evidence) => Object.assign(evidence.secrets, { '/good': 'whsec_2' })],
  [
    'a signature of another hour',
    'clock',
    ({ received }) => change(received, { signature: signedAt(3_601) }),
  ],
  [
    'a verdict that nobody asked for',
    'forged',
    ({ stored }) => change(stored.verifications, { outcome: 'rejected' }),
  ],
  ['a live approval', 'forged', ({ items }) => change(items, { environment: 'live' })],
  [
    'an event of a verification that nobody created',
    'forged',
    ({ received }) => change(received, { body: bodyWith({ reference: 'x' }) }),
  ],
  [
    'two events of one verification',
    'event',
    ({ received }) => received.push({ ...request, eventId: 'evt_2' }),
  ],
  [
    'a claim that was never carried out',
    'stuck',
    ({ stored }) => change(stored.requests, { status: 'claimed' }),
  ],
  [
    'a workflow that has nothing to do',
    'stuck',
    ({ running }) => running.push({ id: 'verification/v1', history: [] }),
  ],
  ['an overdue delivery', 'stuck', ({ stored }) => change(stored.deliveries, { overdue: true })],
  ['a delivery that nobody received', 'lost', ({ received }) => received.pop()],
  [
    'a delivery that gave up early',
    'attempts',
    ({ stored }) => change(stored.deliveries, { status: 'failed' }),
  ],
  [
    'a seventh attempt',
    'attempts',
    ({ stored }) => {
      stored.attempts = seven.map((number) => ({ ...attempt, number }));
    },
  ],
  [
    'an attempt that was sent twice',
    'attempts',
    ({ received }) => received.unshift({ ...request, at: 950, status: 500 }),
  ],
  [
    'a request before the row of its attempt',
    'attempts',
    ({ stored }) => change(stored.attempts, { started_at: new Date(2_000) }),
  ],
  [
    'a request after a 2xx without reason',
    'late duplicate',
    ({ received }) => received.push({ ...request, at: 1_100 }),
  ],
  ['a changed line of the ledger', 'ledger', ({ stored }) => change(stored.ledger, { data: { a: 2 } })],
  ['a gap in the ledger', 'ledger', ({ stored }) => change(stored.ledger, { sequence: 2 })],
  ['a fault that did not come about', 'not reached', ({ rounds }) => change(rounds, { hit: false })],
  [
    'a part that ended by itself',
    'died by itself',
    ({ rounds }) => change(rounds, { casualties: ['worker'] }),
  ],
])('%s is found', (_, kind, spoil) => {
  const evidence = good();
  spoil(evidence);
  expect(kindsOf(evidence)).toContain(kind);
});

test.each<[string, string, (evidence: Evidence) => void]>([
  ['no verdict', 'stuck', ({ stored }) => change(stored.verifications, { status: 'in_progress' })],
  ['no thanks', 'not acknowledged', ({ client }) => client.pop()],
  [
    'no submission in the row',
    'lost',
    ({ stored }) => change(stored.verifications, { status: 'pending', submitted: false }),
  ],
  ['a step that is missing in the ledger', 'ledger', ({ stored }) => stored.ledger.pop()],
])('a person with %s is found', (_, kind, spoil) => {
  const evidence = walked();
  spoil(evidence);
  expect(kindsOf(evidence)).toContain(kind);
});

test.each<[string, string, (evidence: Evidence) => void]>([
  ['two that win', 'doubled', ({ client }) => client.push({ ...(client.at(-2) as ClientLine) })],
  [
    'a winner whose outcome is not stored',
    'forged',
    ({ stored }) => change(stored.verifications, { outcome: 'review' }),
  ],
  [
    'none that wins',
    'lost',
    ({ stored }) => change(stored.verifications, { status: 'pending', outcome: null }),
  ],
])('of many commands, %s are found', (_, kind, spoil) => {
  const evidence = contended();
  spoil(evidence);
  expect(kindsOf(evidence)).toContain(kind);
});

/** The verification was acknowledged, and its event was received, in the seconds that the database has forgotten. */
function forgotten(): Evidence {
  const evidence = good();
  change(evidence.rounds, { mayRepeat: true, lost: { from: 50, to: 2_000 } });
  const again = { ...line, at: 3_000, body: '{"id":"v2"}' };
  evidence.client.push(again, { ...again, act: 'replay' });
  const { requests, verifications, events, deliveries, attempts } = evidence.stored;
  const bytes = Buffer.from(bodyWith({ verification_id: 'v2' }), 'base64');
  change(requests, { id: 'v2' });
  change(verifications, { id: 'v2' });
  change(events, { id: 'evt_2', verification_id: 'v2', body: bytes });
  change(deliveries, { event_id: 'evt_2' });
  change(attempts, { started_at: new Date(3_900) });
  evidence.stored.ledger = [];
  const mac = createHmac('sha256', secret).update('4.').update(bytes).digest('hex');
  const resent = { eventId: 'evt_2', body: bytes.toString('base64'), signature: `t=4,v1=${mac}` };
  evidence.received.push({ ...request, ...resent, at: 4_000 });
  return evidence;
}

test('what a database has forgotten may be missing, and may come again', () => {
  expect(judge(forgotten()).findings).toEqual([]);
});

test.each<[string, string, (evidence: Evidence) => void]>([
  ['a verification of another time that is missing', 'lost', ({ client }) => change(client, { at: 10 })],
  ['an event of another time that is missing', 'bytes', ({ received }) => change(received, { at: 40 })],
  [
    'an event that comes again with another id',
    'event',
    ({ received }) => change(received, { body: bodyWith({ verification_id: 'v2' }) }),
  ],
])('%s is found', (_, kind, spoil) => {
  const evidence = forgotten();
  spoil(evidence);
  expect(kindsOf(evidence)).toContain(kind);
});

/** A person's document was masked before the verdict. */
function maskedFirst(): Evidence {
  const evidence = walked();
  evidence.items = [{ ...item, ending: 'by a person', environment: 'live' }];
  const [completed = ''] = steps.slice(-1);
  const types = [...steps.slice(0, -1), 'evidence.masked', completed];
  evidence.stored.ledger = chainOf(types, { evidence: [{ kind: 'passport_page' }, { kind: 'selfie' }] });
  return evidence;
}

test('a document is masked before the verdict only if a database has forgotten the first verdict', () => {
  const evidence = maskedFirst();
  expect(kindsOf(evidence)).toContain('ledger');
  change(evidence.rounds, { mayRepeat: true, lost: { from: 600, to: 2_000 } });
  expect(kindsOf(evidence)).toContain('ledger');
  change(evidence.rounds, { mayRepeat: true, lost: { from: 450, to: 550 } });
  expect(kindsOf(evidence)).not.toContain('ledger');
});

test('a request that leaves late needs an attempt of its own', () => {
  const late = (rows: number) => {
    const evidence = good();
    change(evidence.rounds, { mayRepeat: true, maySendLate: true });
    evidence.stored.attempts = Array.from({ length: rows }, (_, index) => ({
      ...attempt,
      number: index + 1,
      outcome: index === 0 ? 'outcome_unknown' : 'delivered',
    }));
    evidence.received.push({ ...request, at: 1_100 });
    return kindsOf(evidence);
  };
  expect(late(2)).toEqual([]);
  expect(late(1)).toContain('attempts');
});

const bodyWith = (own: object) =>
  Buffer.from(JSON.stringify({ id: 'evt_1', data: { ...data, ...own } })).toString('base64');

function change<Row extends object>(rows: Row[], values: Partial<Row>): void {
  rows.splice(0, 1, { ...(rows[0] as Row), ...values });
}

function spoilAnswers(evidence: Evidence, status: number): void {
  evidence.client = evidence.client.map((answered) => ({ ...answered, status }));
}

function spoilBody({ events }: Evidence['stored']): void {
  change(events, { body: Buffer.from('{}') });
}
