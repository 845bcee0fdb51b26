import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';

const harness = await startHarness();
const { key } = await harness.key({ environment: 'live' });

/** Sends a picture as a form whose address says this of its source. */
async function sent(said: string) {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const user = person(harness, json.verify_url);
  await user.start();
  const { body, type } = await pictureForm(await anyPicture(), 'x.jpg');
  await call(harness, 'POST', `${user.path}/picture?kind=passport_page${said}`, {
    rawBody: body,
    headers: { 'content-type': type },
  });
  const [row] = await harness.rows<{
    source: string;
  }>`select source from evidence where verification_id = ${json.id}`;
  return { id: json.id as string, user, source: row?.source };
}

test.each([
  ['&source=live_camera', 'live_camera'],
  ['&source=capture_input', 'capture_input'],
  ['&source=upload', 'upload'],
  ['', 'upload'],
  ['&source=notary', 'upload'],
  ['&source=upload&source=live_camera', 'upload'],
])('a picture whose form says "%s" is stored as %s', async (said, source) => {
  expect((await sent(said)).source).toBe(source);
});

test('the line of the submission names the source, so the dossier has it after the picture is gone', async () => {
  const { id, user } = await sent('&source=live_camera');
  await user.submit();
  const [line] = await harness.rows<{ data: unknown }>`
    select data from ledger where subject_id = ${id} and type = 'verification.submitted'`;
  expect(line?.data).toMatchObject({ evidence: [{ kind: 'passport_page', source: 'live_camera' }] });
});

test('a newer picture of the same kind has its own source', async () => {
  const { id, user, source } = await sent('&source=live_camera');
  expect(source).toBe('live_camera');
  await user.upload('passport_page', await anyPicture());
  const rows = await harness.rows`select source from evidence where verification_id = ${id}`;
  expect(rows).toEqual([{ source: 'upload' }]);
});
