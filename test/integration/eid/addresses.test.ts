import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createPost } from '#activities/eid/idin/post.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { reasonOf } from '#test/support/people/idin.ts';

/** Counts connections, since not even one may be made. */
let connections = 0;
const server = createServer((_, response) => response.end('answer'));
server.on('connection', () => connections++);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());
const { port } = server.address() as AddressInfo;

const timeoutMs = 60_000;

test.each([
  ['an address of this machine', '127.0.0.1'],
  ['another address of this machine', '127.0.0.2'],
  ['a name that leads to this machine', 'localhost'],
  ['a private address', '10.0.0.1'],
  ['the address of a machine in the cloud about itself', '169.254.169.254'],
])('an acquirer at %s is not reached', async (_, host) => {
  const post = createPost({ timeoutMs, rules: addressRules([]) });
  expect(await reasonOf(post(`https://${host}:${port}/status`, '<x/>'))).toBe('unreachable');
  expect(connections).toBe(0);
});

test('a name is checked once more when it is looked up', async () => {
  const url = `https://localhost:${port}/status`;
  let asked = 0;
  const onlyAtFirst = { mayReach: () => asked++ === 0 };
  expect(await reasonOf(createPost({ timeoutMs, rules: onlyAtFirst })(url, '<x/>'))).toBe('unreachable');
  expect([asked > 1, connections]).toEqual([true, 0]);
  // With the address allowed there is a connection, which then fails in TLS.
  const allowed = { mayReach: () => true };
  expect(await reasonOf(createPost({ timeoutMs, rules: allowed })(url, '<x/>'))).toBe('unreachable');
  expect(connections).toBe(1);
});
