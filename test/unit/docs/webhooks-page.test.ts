import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { events } from '#contract/events.ts';
import { signatureHeader } from '#platform/crypto/signature.ts';
import { covers } from '#test/requirements.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/guide/webhooks.md');
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';

test('the event on the page is one that would be sent', () => {
  const { body } = events['verification.completed'];
  expect(() => body.parse(JSON.parse(block('json')))).not.toThrow();
});

test('the receiver of the page stores what we sign, refuses what it cannot verify, and asks for a repeat when it cannot store', async () => {
  const guide = new URL('../../../docs/guide/', import.meta.url);
  const code = block('js').replace("'./", `'${guide}`);
  const { createReceiver } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const store = vi.fn();
  const server: Server = createReceiver(secret, store);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = Buffer.from('{"id":"evt_01"}');
  const statusOf = async (signedWith: string) => {
    const header = signatureHeader(signedWith, Math.floor(Date.now() / 1_000), body);
    const headers = { 'x-service-signature': header, connection: 'close' };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  expect(await statusOf(secret)).toBe(200);
  expect(await statusOf('whsec_other')).toBe(400);
  expect(store.mock.calls).toEqual([[{ id: 'evt_01' }]]);
  store.mockRejectedValue(new Error('the disk is full'));
  expect(await statusOf(secret)).toBe(500);
  server.close();
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the Python of the page', () => {
  beforeEach(({ skip }) => skip(!hasPython, 'there is no python3 here'));

  const harness = `
import sys
for vector in json.load(sys.stdin):
    try:
        verify_webhook(vector["body"].encode(), vector["header"], vector["secrets"], now=vector["now"])
        print("valid")
    except ValueError as error:
        print(error)
`;

  test('judges every test vector, though it does not tell a body that was written again from another', () => {
    covers('6.3/hmac', '6.3/five-minutes');
    const vectors: { title: string; result: string }[] = JSON.parse(
      read('test/vectors/webhook-signatures.json'),
    );
    const printed = execFileSync('python3', ['-c', block('python') + harness], {
      input: JSON.stringify(vectors),
      encoding: 'utf8',
    });
    const results = printed.trim().split('\n');
    expect(vectors.map(({ title }, i) => ({ title, result: results[i] }))).toEqual(
      vectors.map(({ title, result }) => ({
        title,
        result: result === 'body_reencoded' ? 'no_match' : result,
      })),
    );
  });
});
