import { expect, test } from 'vitest';
import { openFiles, programsBelow } from '#test/integration/pictures/processes.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

const hostile = new URL('../../pictures/hostile.ts', import.meta.url);

const harness = await startHarness({ decoderProgram: { file: hostile } });
const walking = async (at = harness) => {
  const { key } = await at.key({ environment: 'live' });
  const body = { method: 'document_only' };
  const { json } = await call(at, 'POST', '/v1/verifications', { key, body });
  const user = person(at, json.verify_url);
  await user.start();
  return user;
};
const decoders = () => programsBelow(process.pid, 'hostile.ts');

test.each(['crash', 'loop', 'grow', 'say html', 'answer no JPEG'])(
  'a photo that makes the decoder %s gives advice, and other people go on meanwhile',
  async (act) => {
    const [victim, other] = [await walking(), await walking()];
    const [refused, taken, health] = await Promise.all([
      victim.upload('passport_page', Buffer.from(act)),
      other.upload('passport_page', await anyPicture()),
      call(harness, 'GET', '/v1/health'),
    ]);
    expect(refused.status).toBe(200);
    expect(refused.text).toContain('This file is not a photo we can read. Use JPEG, PNG or WebP.');
    expect(refused.text).toContain('type="file"');
    expect(taken.text).toContain('Is everything right?');
    expect(health.status).toBe(200);

    const again = await victim.upload('passport_page', await anyPicture());
    expect(again.text).toContain('Is everything right?');
    await expect.poll(() => decoders().length).toBeLessThanOrEqual(2);
  },
);

test('a decoder has no connection of the process that started it', async () => {
  await expect.poll(() => decoders().length).toBeGreaterThan(0);
  const inherited = openFiles(process.ppid);
  const ours = openFiles(process.pid).filter((file) => !inherited.includes(file));
  expect(ours.filter((file) => file.startsWith('socket:')).length).toBeGreaterThan(3);
  const theirs = decoders().flatMap(openFiles);
  expect(theirs.length).toBeGreaterThan(3);
  expect(
    ours.filter((file) => theirs.includes(file) && /^(socket|pipe):|^\/(?!dev\/null)/.test(file)),
  ).toEqual([]);
});

test('where no decoder can be started, a photo is answered 503 with a word, and all else goes on', async () => {
  const broken = await startHarness({
    decoderProgram: { file: new URL('./nowhere.ts', import.meta.url) },
  });
  const user = await walking(broken);
  const { status, text } = await user.upload('passport_page', await anyPicture());
  expect([status, text]).toEqual([503, expect.stringContaining('Try again in a moment.')]);
  expect((await user.look()).status).toBe(200);
  expect((await call(broken, 'GET', '/v1/health')).status).toBe(200);
});
