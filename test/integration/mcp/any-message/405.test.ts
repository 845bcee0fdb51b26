import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'])(
  '%s is 405 and says that POST is allowed, with a key and without',
  async (method) => {
    covers('4.2/get-405', '4.2/single-endpoint');
    for (const itsKey of [key, undefined]) {
      const { status, headers, json } = await rpc(harness, undefined, {
        method,
        key: itsKey,
        headers: { accept: 'text/event-stream', origin: 'https://evil.example' },
      });
      expect([status, headers.allow]).toEqual([405, 'POST']);
      expect(json).toMatchObject({ id: null, error: { code: -32600, data: { code: 'method_not_allowed' } } });
    }
  },
);

test('HEAD is 405 as well', async () => {
  const { status, headers } = await rpc(harness, undefined, { method: 'HEAD', key });
  expect([status, headers.allow]).toEqual([405, 'POST']);
});
