import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createPictureDecoder, decodersMax } from '#platform/pictures/decoders.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { findLink } from '#services/flow/find-link.ts';
import { handIn } from '#services/flow/hand-in.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { inParallel } from '#test/support/in-parallel.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

/** Many uploads that arrive or wait at the same time. The address of a sender is the one in X-Forwarded-For. */

const harness = await startHarness({ trustProxy: true });

/** The path of somebody who is about to send the page of a passport. */
async function walking(key: string): Promise<string> {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const { path, start } = person(harness, json.verify_url);
  await start();
  return path;
}
const organisation = async (org: string) => (await harness.key({ org, environment: 'live' })).key;
const people = (key: string, count: number) => inParallel(Array(count).fill(key), walking);

/** Longer than a server reads from a sender that nobody waits for. */
const announcedBytes = 12_000_000;

/** Announces a picture, and sends so much of it. The connection stays open. */
function sender(path: string, { from, bytes }: { from: string; bytes: number }) {
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('error', () => undefined).on('data', (data) => (answer += data));
  socket.write(
    `POST ${path}/picture?kind=passport_page HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n` +
      `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${announcedBytes}\r\n\r\n`,
  );
  const sends = setTimeout(() => socket.write(Buffer.alloc(bytes)), 300);
  socket.on('close', () => clearTimeout(sends));
  return { answered: () => answer.split('\r\n')[0], wasEnded: () => socket.destroyed };
}

type Sender = ReturnType<typeof sender>;
const endedOf = (senders: readonly Sender[]) => senders.flatMap((each, i) => (each.wasEnded() ? [i] : []));
/** An upload can be ended only a second after its start. */
const untilRated = () => pause(2_000);
/** Slow, but for half a minute not so slow that the server ends it by itself. The slowest has a quarter of a minute. */
const slowBytes = 120_000;
const slowestBytes = 60_000;

test('of 32 slow uploads of one organisation, from any addresses, the slowest ends for the next one', async () => {
  const paths = await people(await organisation('Many addresses'), 33);
  const senders = paths
    .slice(1)
    .map((path, i) => sender(path, { from: `198.51.100.${i}`, bytes: i === 11 ? slowestBytes : slowBytes }));
  await untilRated();
  const [stranger] = await people(await organisation('Another'), 1);
  sender(String(stranger), { from: '203.0.113.1', bytes: slowBytes });
  await pause(500);
  expect(endedOf(senders)).toEqual([]);
  sender(String(paths[0]), { from: '203.0.113.2', bytes: slowBytes });
  await expect.poll(() => endedOf(senders), { timeout: 5_000 }).toEqual([11]);
});

test('of 24 slow uploads of one address, of any organisations, the slowest ends for the 25th', async () => {
  const keys = [await organisation('One network'), await organisation('The same network')];
  const paths = (await Promise.all(keys.map((key) => people(key, 13)))).flat();
  const from = '192.0.2.3';
  const senders = paths
    .slice(2)
    .map((path, i) => sender(path, { from, bytes: i === 17 ? slowestBytes : slowBytes }));
  await untilRated();
  sender(String(paths[1]), { from: '203.0.113.3', bytes: slowBytes });
  await pause(500);
  expect(endedOf(senders)).toEqual([]);
  sender(String(paths[0]), { from, bytes: slowBytes });
  await expect.poll(() => endedOf(senders), { timeout: 5_000 }).toEqual([17]);
});

test('if no upload of a full address is slow, the next one is refused and none ends', async () => {
  const paths = await people(await organisation('Fast'), 25);
  const from = '192.0.2.2';
  const senders = paths.slice(1).map((path) => sender(path, { from, bytes: 1_000_000 }));
  await untilRated();
  const next = sender(String(paths[0]), { from, bytes: 1 });
  await expect.poll(next.answered, { timeout: 5_000 }).toContain('503');
  expect(endedOf(senders)).toEqual([]);
});

test('organisations take turns: one picture does not wait for the ten that another sent before', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const real = createPictureDecoder({ isolation: await findIsolation(log), log, instruments: noInstruments });
  atTheEnd(real.close);
  const opened = Promise.withResolvers<void>();
  const order: string[] = [];
  const bytes = await anyPicture();
  const linkOf = async (key: string) => {
    const link = await findLink(harness.ctx, (await walking(key)).split('/').at(-1) ?? '');
    if (link === undefined) throw new Error('the link is unknown');
    return link;
  };
  const upload = (link: Awaited<ReturnType<typeof linkOf>>, name: string) => {
    const take: typeof real.take = async (...picture) => {
      order.push(name);
      await opened.promise;
      return real.take(...picture);
    };
    const source = 'upload' as const;
    return handIn({ ...harness.ctx, decoder: { ...real, take } }, link, 'passport_page', { bytes, source });
  };
  const many = await linkOf(await organisation('Many pictures'));
  const one = await linkOf(await organisation('One picture'));
  const counted = async () => {
    const [row] = await harness.rows<{ count: number }>`
      select sum(pictures_taken)::int as count from verifications where id in (${many.id}, ${one.id})`;
    return row?.count;
  };
  const sent = Array.from({ length: 8 + decodersMax }, () => upload(many, 'many'));
  await expect.poll(counted).toBe(8 + decodersMax);
  sent.push(upload(one, 'one'));
  await expect.poll(counted).toBe(9 + decodersMax);
  await expect.poll(() => order).toHaveLength(decodersMax);
  opened.resolve();
  expect(await Promise.all(sent)).toEqual(sent.map(() => undefined));
  expect(order.indexOf('one')).toBeLessThanOrEqual(decodersMax + 1);
}, 60_000);
