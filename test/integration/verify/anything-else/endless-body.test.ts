import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { head, openConnection } from '../../security/transport.ts';

const harness = await startHarness();
const { key } = await harness.key({ org: 'Told' });

test('a body without end that nobody reads ends with its answer, however fast it comes', async () => {
  // The bytes of this test can stand still for a second where the machine is full.
  const limits = { headersMs: 400, requestMs: 2_500, idleMs: 300, checkEveryMs: 50, connectionsMax: 250 };
  const { url, stop } = await harness.startApi({ connections: limits });
  const connection = openConnection(Number(new URL(url).port));
  await connection.connected;
  const headers = ['Content-Type: multipart/form-data; boundary=x', 'Transfer-Encoding: chunked'];
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  const target = `${user.path}/picture?kind=passport_page`;
  connection.send(head({ method: 'POST', target, headers }));
  // Longer than a request may take, and then larger than a photo may be.
  const small = `400\r\n${'a'.repeat(0x400)}\r\n`;
  for (let i = 0; i < 30; i++) {
    connection.send(small);
    await pause(100);
  }
  const large = `100000\r\n${'a'.repeat(0x100000)}\r\n`;
  for (let i = 0; i < 14; i++) connection.send(large);
  await expect.poll(() => connection.received(), { timeout: 10_000 }).toContain('fault=too_heavy');
  const sendingOn = setInterval(() => connection.send(small), 20);
  await expect.poll(() => connection.hasEnded(), { timeout: 10_000 }).toBe(true);
  clearInterval(sendingOn);
  connection.socket.destroy();
  await stop();
});
