import { expect, test } from 'vitest';
import { newUuid } from '#platform/crypto/crypto.ts';
import type { Posted } from '#platform/outbound/http.ts';
import { newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { attempter, answered as byReceiver, newDelivery } from './support.ts';

/** What receivers answer is for the developers of their organisation, and for nobody else. */

const harness = await startHarness({ worker: false });
const marker = 'kanarie-of-a-receiver';
const program = new URL('../../../worker/commands/deliveries.ts', import.meta.url);
const dataDir = newFolder();

async function shown(...args: string[]) {
  const { code, stdout, stderr } = runProgram(program, args, {
    ...{ DATABASE_URL: harness.roleUrls.app, DATA_DIR: dataDir },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  return { exit: await code, stdout: await stdout, stderr: await stderr };
}

const partner = await startPartner(harness);
async function answered(excerpt: string, status = 500): Promise<string> {
  const id = await newDelivery(harness, partner);
  const posted = { ...byReceiver(status), excerpt: Buffer.from(excerpt) } as Posted;
  await attempter(harness, async () => posted)(id);
  return id;
}

test.each([200, 500])(
  'an answer with %i is sealed in the database, and the command shows it',
  async (status) => {
    const id = await answered(`{"echo":"${marker}"}`, status);
    const [row] = await harness.rows<{ row: string }>`
    select t::text as row from delivery_attempts t where delivery_id = ${id}`;
    for (const spelling of [marker, Buffer.from(marker).toString('hex')])
      expect(row?.row).not.toContain(spelling);
    const { exit, stdout } = await shown(id);
    expect(exit).toBe(0);
    expect(stdout).toMatch(new RegExp(`^attempt 1 {2}.* ${status}\\n {2}{"echo":"${marker}"}\\n$`));
    expect(JSON.parse((await shown(id, '--json')).stdout)).toMatchObject({
      ...{ number: 1, response_status: status, answer: `{"echo":"${marker}"}` },
    });
  },
);

test('no request returns it', async () => {
  await answered(marker);
  for (const path of [`${partner.path}/deliveries`, partner.path, '/webhooks']) {
    const { status, text } = await call(harness, 'GET', `/v1${path}`, { key: partner.key });
    expect([status, text.includes(marker)]).toEqual([200, false]);
  }
});

test('control characters of a receiver do not reach the terminal', async () => {
  const { stdout } = await shown(await answered('a\u001b[2Jb\u0007\u202ec\nd'));
  expect(stdout).toContain('  a\ufffd[2Jb\ufffd\ufffdc\n  d\n');
});

test('an answer without a body, an unknown delivery and a wrong argument have words of their own', async () => {
  expect((await shown(await answered(''))).stdout).toContain('no answer is stored');
  expect(await shown(newUuid())).toEqual({ exit: 69, stdout: '', stderr: 'There is no such delivery.\n' });
  expect((await shown('x')).exit).toBe(64);
});
