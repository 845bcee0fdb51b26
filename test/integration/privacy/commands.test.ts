import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { newUuid } from '#platform/crypto.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/person.ts';
import { anyPicture } from '#test/support/picture.ts';

const harness = await startHarness();
const { key } = await harness.key({ environment: 'live' });

function run(command: 'cancel' | 'erase' | 'export', ...args: string[]) {
  const file = join(import.meta.dirname, `../../../worker/commands/${command}.ts`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: harness.roleUrls.app,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
  });
  return { status, stdout, stderr };
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
  const { status, stdout } = run('export', id);
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
  const first = run('erase', id);
  expect([first.status, first.stderr.trim()]).toEqual([0, `Erased the person of verification ${id}.`]);
  expect(run('erase', id).stderr).toContain('was erased before');
  expect(await typesOf(id)).toEqual(['verification.erased']);
  const held = JSON.parse(run('export', id).stdout);
  expect(held).toMatchObject({ verification: { reference: null }, evidence: [] });
  expect(held.history[0].personal).toBe(null);
});

test('cancel closes the link', async () => {
  const id = await started();
  expect(run('cancel', id).status).toBe(0);
  expect(await typesOf(id)).toEqual(['verification.cancelled']);
});

test.each(['cancel', 'erase', 'export'] as const)('%s says what is wrong with its argument', (command) => {
  expect(run(command)).toMatchObject({ status: 64, stderr: expect.stringContaining('Give the id of one') });
  expect(run(command, 'x')).toMatchObject({ status: 64 });
  const unknown = run(command, newUuid());
  expect([unknown.status, unknown.stdout]).toEqual([69, '']);
  expect(unknown.stderr).toContain('There is no such verification');
});
