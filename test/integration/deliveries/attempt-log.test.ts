import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, inject, test } from 'vitest';
import { createSender, type Posted } from '#platform/outbound/http.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { attempter, heads, newDelivery } from './support.ts';

const harness = await startHarness({ worker: false });
const real = createSender({
  rules: harness.ctx.addresses,
  extraCa: () => [inject('receiverTls').ca],
  timeoutMs: 1_000,
});
atTheEnd(real.close);

async function rowOf(deliveryId: string): Promise<Record<string, unknown>> {
  const rows = await harness.rows<Record<string, unknown>>`
    select number, outcome, reason, phase, response_status, answer, duration_ms
    from delivery_attempts where delivery_id = ${deliveryId}`;
  expect(rows).toHaveLength(1);
  const { answer, ...attempt }: Record<string, unknown> = rows[0] ?? {};
  const opened =
    answer && harness.ctx.secrets.openBytes('receiver-answer', `${deliveryId}/1`, answer as Buffer);
  return { ...attempt, answer: opened };
}

/** Stores one attempt whose sender returns this result, and reads the row of the attempt. */
async function stored(posted: object) {
  const deliveryId = await newDelivery(harness, await startPartner(harness));
  await attempter(harness, async () => posted as Posted)(deliveryId);
  return rowOf(deliveryId);
}

const answered = {
  answered: true,
  retryAfterMs: null,
  excerpt: Buffer.from('said'),
  durationMs: 12,
  ...heads,
};
const unanswered = { answered: false, durationMs: 15_000, sent: null };
const row = {
  number: 1,
  outcome: 'failed',
  reason: null,
  phase: null,
  response_status: null,
  answer: null,
  duration_ms: 12,
};
const said = { answer: Buffer.from('said') };

test.each([
  [
    'a 2xx',
    { ...answered, status: 204, phase: 'body' },
    { ...row, ...said, outcome: 'delivered', phase: 'body', response_status: 204 },
  ],
  [
    'a refusal',
    { ...answered, status: 410, phase: 'body' },
    { ...row, ...said, reason: 'http_status', phase: 'body', response_status: 410 },
  ],
  [
    'a redirect',
    { ...answered, status: 307, phase: 'body' },
    { ...row, ...said, reason: 'redirect_not_followed', phase: 'body', response_status: 307 },
  ],
  [
    'no answer in time',
    { ...unanswered, reason: 'timed_out', phase: 'headers' },
    { ...row, reason: 'timed_out', phase: 'headers', duration_ms: 15_000 },
  ],
  [
    'no address',
    { ...unanswered, durationMs: 0, reason: 'address_not_allowed', phase: 'resolve' },
    { ...row, reason: 'address_not_allowed', phase: 'resolve', duration_ms: 0 },
  ],
])('of %s: outcome, reason, phase, status, answer and duration', async (_, posted, expected) => {
  expect(await stored(posted)).toEqual(expected);
});

test('of an attempt whose sender died: that nobody knows', async () => {
  const deliveryId = await newDelivery(harness, await startPartner(harness));
  await harness.rows`
    insert into delivery_attempts (delivery_id, number, started_at)
    values (${deliveryId}, 1, now() - interval '21 seconds')`;
  await attempter(harness, () => Promise.reject(new Error('sent again')))(deliveryId);
  expect(await rowOf(deliveryId)).toEqual({
    ...row,
    outcome: 'outcome_unknown',
    reason: 'outcome_unknown',
    duration_ms: null,
  });
});

test('of a long answer its first 8 KiB, byte for byte, whether it was a 2xx or not', async () => {
  const long = Buffer.from(Array.from({ length: 20_000 }, (_, n) => n % 256));
  let status = 200;
  const { cert, key } = inject('receiverTls');
  const server = createServer({ cert, key }, (request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(long));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const partner = await startPartner(harness, { endpoint: { url } });
  for (status of [200, 500]) {
    const deliveryId = await newDelivery(harness, partner);
    await attempter(harness, () => Promise.reject(), real)(deliveryId);
    const found = await rowOf(deliveryId);
    expect(found).toMatchObject({
      response_status: status,
      outcome: status === 200 ? 'delivered' : 'failed',
      duration_ms: expect.any(Number),
    });
    expect(found.answer).toEqual(long.subarray(0, 8_192));
  }
  server.closeAllConnections();
  server.close();
});

test('of a receiver that takes the connection and says nothing: how long it was waited for', async () => {
  const sockets: { destroy(): void }[] = [];
  const server = createTcpServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const deliveryId = await newDelivery(harness, await startPartner(harness, { endpoint: { url } }));
  await attempter(harness, () => Promise.reject(), real)(deliveryId);
  const found = await rowOf(deliveryId);
  expect(found).toMatchObject({ outcome: 'failed', reason: 'timed_out', response_status: null });
  expect(found.duration_ms).toBeGreaterThanOrEqual(950);
  for (const socket of sockets) socket.destroy();
  server.close();
});
