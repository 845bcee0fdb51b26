import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureHeader } from '#platform/signature.ts';
import { covers } from '#test/requirements.ts';
import { fillVerifications } from '#test/support/fill.ts';
import { harnessOfFile } from '#test/support/harness.ts';

const harness = await harnessOfFile();
const { key, organisationId } = await harness.key();

/** The JavaScript of a page of the guide as a reader would paste it. */
async function example(page: string, name: string) {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/guide', page), 'utf8');
  const code = /```js\n(.*?)```/s.exec(text)?.[1];
  const module = `const BASE = ${JSON.stringify(`${harness.url}/v1`)}, KEY = ${JSON.stringify(key)};\n${code}\nexport default ${name};`;
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)).default;
}

test('the signature check of the quick start takes what we sign, and nothing else', async () => {
  covers('6.3/hmac');
  const isGenuine = await example('quick-start.md', 'isGenuine');
  const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const body = Buffer.from('{"reference":"één"}');
  const now = Math.floor(Date.now() / 1_000);
  const header = signatureHeader(secret, now, body);
  expect(isGenuine(body, header, secret)).toBe(true);
  expect(isGenuine(body, `${header},v1=${'0'.repeat(64)}`, secret)).toBe(true);
  expect(isGenuine(Buffer.from('{"reference": "één"}'), header, secret)).toBe(false);
  expect(isGenuine(body, header, secret.slice('whsec_'.length))).toBe(false);
  expect(isGenuine(body, signatureHeader(secret, now - 301, body), secret)).toBe(false);
  expect(isGenuine(body, 'nonsense', secret)).toBe(false);
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
