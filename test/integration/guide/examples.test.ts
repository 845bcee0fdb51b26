import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { signatureHeader } from '#platform/crypto/signature.ts';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { fillVerifications } from '#test/support/rows/fill.ts';

const harness = await startHarness();
const { key, organisationId } = await harness.key();

const guide = new URL('../../../docs/guide/', import.meta.url);

/** Runs the first JavaScript block of a page of the guide. Returns what the block defines under this name. */
async function example(page: string, name: string) {
  const text = readFileSync(new URL(page, guide), 'utf8');
  const code = /```js\n(.*?)```/s.exec(text)?.[1]?.replace("'./", `'${guide}`);
  const module = `const BASE = ${JSON.stringify(`${harness.url}/v1`)}, KEY = ${JSON.stringify(key)};\n${code}\nexport default ${name};`;
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)).default;
}

test('the signature check of the quick start takes what we sign, and nothing else', async () => {
  covers('6.3/hmac');
  vi.spyOn(console, 'warn').mockReturnValue();
  const isGenuine = await example('quick-start.md', 'isGenuine');
  const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const body = Buffer.from('{"reference":"één"}');
  const now = Math.floor(Date.now() / 1_000);
  const signed = (header: string) => ({ 'x-service-signature': header });
  const headers = signed(signatureHeader(secret, now, body));
  expect(await isGenuine(body, headers, secret)).toBe(true);
  expect(await isGenuine(Buffer.from('{"reference": "één"}'), headers, secret)).toBe(false);
  expect(await isGenuine(body, headers, secret.slice('whsec_'.length))).toBe(false);
  expect(await isGenuine(body, signed(signatureHeader(secret, now - 301, body)), secret)).toBe(false);
  expect(await isGenuine(body, signed('nonsense'), secret)).toBe(false);
});

test('the loop of the page on idempotency gets its answer, and the same one for the same key', async () => {
  const createVerification = await example('idempotency.md', 'createVerification');
  const idempotencyKey = randomUUID();
  const answers = [];
  for (let i = 0; i < 2; i++) answers.push(await createVerification({ reference: 'r' }, idempotencyKey));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(await answers[1].text()).toBe(await answers[0].text());
});

test('the loop of the page on pagination sees every verification once', async () => {
  await fillVerifications(harness.ctx, {
    orgId: organisationId,
    environment: 'sandbox',
    count: 250,
    perMoment: 9,
  });
  const verifications = await example('pagination.md', 'verifications');
  const ids = [];
  for await (const { id } of verifications()) ids.push(id);
  expect(ids.length).toBeGreaterThanOrEqual(250);
  expect(new Set(ids).size).toBe(ids.length);
});
