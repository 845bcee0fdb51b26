import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { newUuid } from '#platform/crypto/crypto.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

const harness = await startHarness();
const { key } = await harness.key({ environment: 'live' });

type Command = 'cancel' | 'erase' | 'export' | 'link';

// Not synchronous, because a server that cannot answer meanwhile would lose its connections.
function run(command: Command, ...args: string[]) {
  const file = join(import.meta.dirname, `../../../worker/commands/${command}.ts`);
  const env = {
    ...process.env,
    DATABASE_URL: harness.roleUrls.app,
    PUBLIC_URL: harness.ctx.publicUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [file, ...args], { env, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
}

const started = async () => {
  const body = { method: 'document_only', reference: 'of a person' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return json.id as string;
};
const typesOf = async (id: string) => {
  const rows = await harness.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} and data -> 'actor' ->> 'kind' = 'operator' order by sequence`;
  return rows.map(({ type }) => type);
};

test('export prints what is held of one person, and the history says that somebody looked', async () => {
  const id = await started();
  const { status, stdout } = await run('export', id);
  expect(status).toBe(0);
  const held = JSON.parse(stdout);
  expect(held.verification).toMatchObject({ id, reference: 'of a person', status: 'in_progress' });
  expect(held.evidence).toMatchObject([{ kind: 'passport_page' }]);
  const jpeg = Buffer.from(held.evidence[0].jpeg_base64, 'base64');
  expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(held.history[0]).toMatchObject({
    ...{ type: 'verification.created', personal: { reference: 'of a person' } },
  });
  expect(held.history[1].data.consent).toMatchObject({ language: 'en' });
  expect(await typesOf(id)).toEqual(['verification.exported']);
});

test('erase erases, whatever the organisation allows its keys, and says if it was done before', async () => {
  const id = await started();
  const first = await run('erase', id);
  expect([first.status, first.stderr.trim()]).toEqual([0, `Erased the person of verification ${id}.`]);
  expect((await run('erase', id)).stderr).toContain('was erased before');
  expect(await typesOf(id)).toEqual(['verification.erased']);
  const held = JSON.parse((await run('export', id)).stdout);
  expect(held).toMatchObject({ verification: { reference: null }, evidence: [] });
  expect(held.history[0].personal).toBe(null);
});

test('cancel closes the link', async () => {
  const id = await started();
  expect((await run('cancel', id)).status).toBe(0);
  expect(await typesOf(id)).toEqual(['verification.cancelled']);
});

test('link prints a fresh link, with which the person goes on, and the one before is unknown', async () => {
  const id = await started();
  const read = async () => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.verify_url;
  const before = await read();
  const { status, stdout } = await run('link', id);
  expect(status).toBe(0);
  const fresh = stdout.trim();
  expect(fresh).not.toBe(before);
  expect(fresh).toBe(await read());
  expect((await person(harness, before).look()).status).toBe(404);
  expect((await person(harness, fresh).look()).text).toContain('Is everything right?');
  expect(await typesOf(id)).toEqual(['verification.link_renewed']);
  await run('erase', id);
  const refused = await run('link', id);
  expect([refused.status, refused.stdout]).toEqual([69, '']);
});

test.each(['cancel', 'erase', 'export', 'link'] as const)(
  '%s says what is wrong with its argument',
  async (command) => {
    expect(await run(command)).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('Give the id of one'),
    });
    expect(await run(command, 'x')).toMatchObject({ status: 64 });
    const unknown = await run(command, newUuid());
    expect([unknown.status, unknown.stdout]).toEqual([69, '']);
    expect(unknown.stderr).toContain('There is no such verification');
  },
);
