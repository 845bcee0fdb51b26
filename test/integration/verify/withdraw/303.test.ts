import { expect, test } from 'vitest';
import { noChecks } from '#test/support/examiners/no-checks.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { runEnds } from '#test/support/rows/runs.ts';

const harness = await startHarness({ documents: noChecks });
const { key } = await harness.key({ environment: 'live' });

const started = async () => {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user };
};
const pictures = (id: string) => harness.rows`select kind from evidence where verification_id = ${id}`;

test('who stops before Send has no pictures stored any more, and is told so', async () => {
  const { id, user } = await started();
  const page = await user.press('withdraw');
  expect(page.text).toContain('You have stopped');
  expect(page.text).not.toContain('<form');
  expect(await pictures(id)).toEqual([]);
  await runEnds(harness, id);
  expect(await harness.rows`select 1 from events where verification_id = ${id}`).toEqual([]);
  const lines = await harness.rows<{ data: unknown }>`
    select data from ledger where subject_id = ${id} and type = 'verification.withdrawn'`;
  expect(lines).toMatchObject([{ data: { actor: { kind: 'person' }, kinds: ['passport_page'] } }]);
});

test('a fresh link asks for consent again, and then the flow can be walked to its end', async () => {
  const { id, user } = await started();
  await user.press('withdraw');
  const { json } = await call(harness, 'POST', `/v1/verifications/${id}/link`, { key });
  expect(json.status).toBe('in_progress');
  const again = person(harness, json.verify_url);
  expect((await again.look()).text).toContain('I agree that');
  await again.start();
  await again.upload('passport_page', await anyPicture());
  await again.submit();
  await expect
    .poll(async () => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.status, {
      timeout: 60_000,
    })
    .toBe('completed');
  await untilMasked(harness.rows, id);
  const lines = await harness.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} order by sequence`;
  expect(lines.map(({ type }) => type.replace('verification.', ''))).toEqual([
    ...[
      'created',
      'started',
      'withdrawn',
      'link_renewed',
      'started',
      'submitted',
      'completed',
      'evidence.masked',
    ],
  ]);
});

test('of Stop and Send at the same time one wins', async () => {
  const rounds = Array.from({ length: 4 }, async () => {
    const { id, user } = await started();
    const page = await user.look();
    await Promise.all([user.press('withdraw', {}, page), user.press('submit', {}, page)]);
    const [row] = await harness.rows<{ submitted: boolean; withdrawn: boolean }>`
      select submitted_at is not null as submitted, withdrawn_at is not null as withdrawn
      from verifications where id = ${id}`;
    expect(row?.submitted).toBe(!row?.withdrawn);
    expect((await pictures(id)).length).toBe(row?.submitted ? 1 : 0);
  });
  await Promise.all(rounds);
});

test('after Send the button is gone, and an old page of it changes nothing', async () => {
  const { id, user } = await started();
  const page = await user.look();
  await user.submit();
  expect((await user.look()).text).not.toContain('withdraw');
  await user.press('withdraw', {}, page);
  expect((await pictures(id)).length).toBe(1);
});
