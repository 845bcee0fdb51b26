import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { description } from '#test/support/documents/described.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test('/openapi.json is public, and may be cached for a minute', async () => {
  covers('9/description-version');
  const { status, headers, json } = await call(harness, 'GET', '/openapi.json');
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('public, max-age=60');
  expect(json).toEqual(JSON.parse(JSON.stringify(description)));
  expect(json.info.version).toBe('1.0.0');
});
