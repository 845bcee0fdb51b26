import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';

let logged = '';
const logTo = {
  write: (line: string) => {
    logged += line;
  },
};
const warnings = () =>
  logged
    .split('\n')
    .filter((line) => line.includes('X-Forwarded-For'))
    .map((line) => JSON.parse(line));

const harness = await startHarness({ worker: false, logTo });
const ownConsole = await harness.startConsole({ trustProxy: false });
const trusting = await harness.startConsole();

test.each([
  ['the API', harness.url, '/v1/webhooks'],
  ['the console', ownConsole.url, '/sign-in'],
])(
  '%s tells its operator once that a peer is not trusted, and logs no address of a person',
  async (_, url, path) => {
    logged = '';
    for (let n = 0; n < 3; n++) await fetch(url + path, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(warnings()).toMatchObject([{ level: 40, peer: '127.0.0.1' }]);
    expect(logged).not.toContain('203.0.113.9');
  },
);

test('of a peer that is trusted there is nothing to tell', async () => {
  logged = '';
  await fetch(`${trusting.url}/sign-in`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(warnings()).toEqual([]);
});
