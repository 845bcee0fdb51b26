import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { runEnds, runStatus } from '#test/support/rows/runs.ts';

const harness = await startHarness();
const live = await harness.key({ environment: 'live' });
const sandbox = await harness.key();

const create = async (key: string) => {
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  return (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
};
const cancel = (id: string, key: string) => call(harness, 'POST', `/v1/verifications/${id}/cancel`, { key });
const linesOf = async (id: string) => {
  const rows = await harness.rows<{ type: string; data: { actor: unknown } }>`
    select type, data from ledger where subject_id = ${id} order by sequence`;
  return rows.map(({ type, data }) => [type, data.actor]);
};

test('the verification is answered as it was, its run ends, and no event is sent', async () => {
  const created = await create(live.key);
  expect(await runStatus(harness, created.id)).toBe('RUNNING');
  const { status, json } = await cancel(created.id, live.key);
  expect(status).toBe(200);
  expect(json).toEqual(created);
  await runEnds(harness, created.id);
  expect(await harness.rows`select id from events where verification_id = ${created.id}`).toEqual([]);
  expect(await linesOf(created.id)).toContainEqual(['verification.cancelled', { kind: 'key', id: live.id }]);
});

test('its link opens a page that says so, and takes no step any more', async () => {
  const created = await create(live.key);
  const user = person(harness, created.verify_url);
  await user.start();
  const page = await user.take('passport_page');
  await cancel(created.id, live.key);
  const shown = await user.look();
  expect(shown.status).toBe(200);
  expect(shown.text).toContain('This request was cancelled');
  expect(shown.text).not.toContain('<form');
  expect((await user.press('picture', await pictureForm(await anyPicture(), 'p.jpg'), page)).text).toContain(
    'was cancelled',
  );
  expect(await harness.rows`select kind from evidence where verification_id = ${created.id}`).toEqual([]);
});

test('a second cancellation gets the same answer and leaves one line', async () => {
  const { id } = await create(live.key);
  const [first, second] = [await cancel(id, live.key), await cancel(id, live.key)];
  expect([second.status, second.text]).toEqual([200, first.text]);
  expect((await linesOf(id)).filter(([type]) => type === 'verification.cancelled')).toHaveLength(1);
});

test('in sandbox it can still be completed', async () => {
  const { id } = await create(sandbox.key);
  await cancel(id, sandbox.key);
  await runEnds(harness, id);
  const { status, json } = await call(harness, 'POST', `/v1/verifications/${id}/complete`, {
    key: sandbox.key,
  });
  expect([status, json.status, json.verdict?.outcome]).toEqual([200, 'completed', 'approved']);
});
