import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import type { ClientLine } from './client.ts';
import { type Evidence, judge, type Received } from './oracle.ts';

/** The evidence of one verification that went well. Each row below makes one thing in it wrong. */
const key = 'round-1-item-1';
const answer = JSON.stringify({ id: 'v1' });
const line: ClientLine = { at: 100, ms: 5, round: 1, key, act: 'create', status: 201, body: answer };
const body = Buffer.from(JSON.stringify({ id: 'evt_1', data: { reference: key } }));
const secret = 'whsec_1';
const mac = createHmac('sha256', secret).update('1.').update(body).digest('hex');
const request: Received = {
  at: 1_000,
  path: '/good',
  eventId: 'evt_1',
  signature: `t=1,v1=${mac}`,
  body: body.toString('base64'),
  status: 200,
};
const attempt = { delivery_id: 'd1', number: 1, started_at: new Date(900), outcome: 'delivered' };
const delivery = { id: 'd1', event_id: 'evt_1', path: '/good', status: 'delivered', overdue: false };
const verification = { id: 'v1', reference: key, status: 'completed' };
const round = { number: 1, fault: 'API killed', mayRepeat: false, hit: true, startedAt: 0, casualties: [] };
const first = { type: 'verification.created', created_at: new Date(500), data: { a: 1 } };
const hash = createHash('sha256')
  .update(
    canonicalize({
      subject_id: 'v1',
      sequence: 1,
      previous_hash: '0'.repeat(64),
      type: first.type,
      at: first.created_at.toISOString(),
      data: first.data,
    }) ?? '',
  )
  .digest();

const good = (): Evidence => ({
  client: [line, { ...line, act: 'replay' }],
  received: [request],
  rounds: [round],
  secrets: { '/good': secret },
  stored: {
    requests: [{ id: 'v1', idempotency_key: key, status: 'answered' }],
    verifications: [verification],
    events: [{ id: 'evt_1', verification_id: 'v1', body }],
    deliveries: [delivery],
    attempts: [attempt],
    ledger: [{ ...first, subject_id: 'v1', sequence: 1, previous_hash: Buffer.alloc(32), hash }],
  },
});

const kindsOf = (evidence: Evidence) => [...new Set(judge(evidence).findings.map(({ kind }) => kind))];
const seven = [1, 2, 3, 4, 5, 6, 7];

test('the oracle finds no fault in a run without faults', () => {
  expect(judge(good()).findings).toEqual([]);
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
  ['a wrong signature', 'bytes', (evidence) => Object.assign(evidence.secrets, { '/good': 'whsec_2' })],
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

function change<Row extends object>(rows: Row[], values: Partial<Row>): void {
  rows.splice(0, 1, { ...(rows[0] as Row), ...values });
}

function spoilAnswers(evidence: Evidence, status: number): void {
  evidence.client = evidence.client.map((answered) => ({ ...answered, status }));
}

function spoilBody({ events }: Evidence['stored']): void {
  change(events, { body: Buffer.from('{}') });
}
