import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test } from 'vitest';
import { instrumentsOf } from '#platform/telemetry/instruments.ts';
import { createMetricsPage } from '#platform/telemetry/metrics-page.ts';
import { scrape } from '#test/integration/metrics/page.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { inParallel } from '#test/support/in-parallel.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

/** One organisation sends as much as it can, and another one sends a single photo. */

const metrics = createMetricsPage([]);
const provider = new MeterProvider({ readers: [metrics.reader] });
const metricsUrl = `http://127.0.0.1:${await metrics.open('127.0.0.1', 0)}/metrics`;
atTheEnd(async () => {
  await Promise.all([metrics.close(), provider.shutdown()]);
});
const logTo = new PassThrough({ encoding: 'utf8' });
let logged = '';
logTo.on('data', (text: string) => {
  logged += text;
});
const harness = await startHarness({
  trustProxy: true,
  instruments: instrumentsOf(provider.getMeter('test')),
  logTo,
});

async function started(key: string, from?: string) {
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: key.startsWith('svc_test_') ? body : { method: body.method },
  });
  const user = person(harness, json.verify_url, 'nl', from === undefined ? {} : { 'x-forwarded-for': from });
  await user.start();
  return user;
}

const everyMs = 100;

/** Sends a photo of 12 MB at so many bytes a millisecond, until the server ends the connection. */
function sender(path: string, from: string, bytesPerMs = 80) {
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined).on('data', (data) => (answer += data));
  socket.write(
    `POST ${path}/picture?kind=passport_page&lang=nl HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 12000000\r\n\r\n',
  );
  const piece = Buffer.alloc(bytesPerMs * everyMs);
  const sending = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(sending));
  onTestFinished(() => {
    clearInterval(sending);
    socket.destroy();
  });
  return { answer: () => answer };
}

const evictions = async (full: string) =>
  (await scrape(metricsUrl)).sum('upload_evictions_total', { full, reason: 'share' });

const links = 100;
const keys = await Promise.all(
  (['sandbox', 'live'] as const).map(
    async (environment) => (await harness.key({ org: 'Many at once', environment })).key,
  ),
);
const crowd = await inParallel(
  Array.from({ length: links }, (_, i) => String(keys[i % keys.length])),
  (key) => started(key),
);
const { key: other } = await harness.key({ org: 'One only', environment: 'live' });

test.each([
  ['of the same address', () => '198.51.100.7', '198.51.100.7', 'address'],
  ['of a hundred addresses', (i: number) => `203.0.113.${i}`, '198.51.100.8', 'process'],
] as const)(
  'a hundred uploads of one organisation at 80 KB/s, %s, beside one of another: accepted',
  async (_, addressOf, own, full) => {
    const senders = crowd.map(({ path }, i) => sender(path, addressOf(i)));
    // Each upload is rated a second after its start.
    await pause(2_000);
    const receiving = senders.filter(({ answer }) => answer() === '');
    expect(receiving.length).toBeGreaterThanOrEqual(24);
    const user = await started(other, own);
    const before = await evictions(full);
    const { text } = await user.upload('passport_page', await anyPicture());
    expect(text).toContain('Klopt alles?');

    const ended = () => receiving.filter(({ answer }) => answer().includes('</html>'));
    await expect.poll(() => ended().length).toBe(1);
    const [page = ''] = ended().map(({ answer }) => answer());
    expect(page).toMatch(/^HTTP\/1\.1 503 /);
    expect(page).toMatch(/\r\nRetry-After: \d+\r\n/i);
    expect(page).toContain('<html lang="nl">');
    expect(await evictions(full)).toBe(before + 1);
    const lines = logged.split('\n').filter((line) => line.includes('ended in favour of another'));
    expect(JSON.parse(String(lines.at(-1)))).toMatchObject({
      full,
      reason: 'share',
      org_id: expect.any(String),
    });
    expect(lines.join()).not.toMatch(/Many at once|198\.51|203\.0|verify\//);
  },
);

test('a slow upload of one organisation is not ended by those of another', async () => {
  const [first = [], further = []] = [crowd.slice(0, 40), crowd.slice(40)];
  const senders = first.map(({ path }) => sender(path, '198.51.100.9'));
  const user = await started(other, '198.51.100.9');
  const slow = sender(user.path, '198.51.100.9', 40);
  await expect.poll(() => senders.filter(({ answer }) => answer() === '').length).toBeLessThanOrEqual(23);
  await pause(1_500);
  for (const { path } of further) sender(path, '198.51.100.9');
  await pause(1_000);
  expect(slow.answer()).toBe('');
});
