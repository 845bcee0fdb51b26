import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const lines: string[] = [];
const harness = await startHarness({
  worker: false,
  logTo: { write: (line: string) => void lines.push(line) },
});

test('an error of the database that quotes a row reaches neither the caller nor the log', async () => {
  const { key } = await harness.key();
  const marker = 'geheim-burgerservicenummer';
  await harness.rows`alter table requests add constraint planted check (input->>'reference' <> ${sql.lit(marker)})`;
  const { status, json, text } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: marker },
  });
  expect(status).toBe(500);
  expect(json.error).toMatchObject({ type: 'api_error', code: 'internal_error' });
  expect(text).not.toContain(marker);
  expect(lines.join('')).toContain('"constraint":"planted"');
  expect(lines.join('')).not.toContain(marker);
});

test('neither keys nor tokens of links reach the log', async () => {
  const { key } = await harness.key();
  const token = 'A'.repeat(64);
  await call(harness, 'GET', `/verify/${token}`);
  await call(harness, 'GET', '/v1/verifications/x', { key });
  await call(harness, 'GET', `/v1/verifications/x?key=${key}`, { key });
  expect(lines.join('')).toContain('"route":"/verify/:token"');
  expect(lines.join('')).not.toContain(token);
  expect(lines.join('')).not.toContain(key.slice(9, 40));
});
