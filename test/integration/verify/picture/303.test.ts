import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { EvidenceKind, Method } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { storedOf } from '../stored.ts';

const harness = await startHarness();
const stored = storedOf(harness);
const { key } = await harness.key({ environment: 'live' });
const started = async (method: Method = 'document_only') => {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body: { method } });
  const user = person(harness, json.verify_url);
  await user.start();
  return { id: json.id as string, user };
};
const kinds = async (id: string) => (await stored.evidence(id)).map(({ kind }) => kind);
const post = async (path: string, picture: Uint8Array) => {
  const { body, type } = await pictureForm(picture, 'x.jpg');
  return call(harness, 'POST', path, { rawBody: body, headers: { 'content-type': type } });
};

test('a file that is not a photo is refused, with the fault and the form again', async () => {
  const { id, user } = await started();
  const noPhotos: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('geheim')],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"/>')],
    ['gif', Buffer.from('GIF89a\u0001\u0000\u0001\u0000')],
    ['cut', (await anyPicture()).subarray(0, 2_000)],
  ];
  for (const [name, bytes] of noPhotos) {
    const { status, text } = await user.upload('passport_page', bytes);
    expect(status, name).toBe(200);
    expect(text, name).toContain('role="alert"');
    expect(text, name).toContain('type="file"');
    expect(text, name).not.toContain('geheim');
  }
  expect(await kinds(id)).toEqual([]);
});

test('a photo that is too small or blurred says so', async () => {
  const { user } = await started();
  expect((await user.upload('passport_page', await anyPicture(300, 200))).text).toContain(
    'too small to read',
  );
  const ramp = Uint8Array.from({ length: 1_200 * 800 }, (_, i) => ((i % 1_200) * 255) / 1_200);
  const blurred = await sharp(ramp, { raw: { width: 1_200, height: 800, channels: 1 } })
    .jpeg()
    .toBuffer();
  expect((await user.upload('passport_page', blurred)).text).toContain('This photo is blurred.');
});

test('a file above 12 MB is refused as soon as its size is known, and the connection stays usable', async () => {
  const { id, user } = await started();
  const { text } = await user.upload('passport_page', Buffer.alloc(limits.pictureSizeBytesMax + 10_000, 1));
  expect(text).toContain('larger than 12 MB');
  expect(await kinds(id)).toEqual([]);
  expect((await user.look()).status).toBe(200);
});

test('a body that is no form, or a form without a file, asks for a photo', async () => {
  const { user } = await started();
  const page = await user.take('passport_page');
  for (const payload of [
    { body: '{}', type: 'application/json' },
    { body: 'picture=abc', type: 'application/x-www-form-urlencoded' },
    { body: '--x\r\nbroken', type: 'multipart/form-data; boundary=x' },
    { body: '--x\r\n\r\nno name\r\n--x--', type: 'multipart/form-data; boundary=x' },
    { body: '', type: 'multipart/form-data' },
  ]) {
    const { text } = await user.press('picture', payload, page);
    expect(text, payload.type).toContain('Choose a photo first.');
  }
});

test('a passport takes the place of a card, and the other way round', async () => {
  const { id, user } = await started('document_liveness');
  const upload = async (kind: EvidenceKind) => user.upload(kind, await anyPicture());
  await upload('card_front');
  await upload('card_back');
  expect((await upload('passport_page')).text).toContain('Photo of yourself');
  expect(await kinds(id)).toEqual(['passport_page']);
  expect((await upload('card_front')).text).toContain('Photo of the back');
  expect(await kinds(id)).toEqual(['card_front']);
});

test('a photo taken again takes the place of the one before', async () => {
  const { id, user } = await started();
  const hashes = async () => (await stored.evidence(id)).map(({ sha256 }) => sha256?.toString('hex'));
  await user.upload('passport_page', await anyPicture());
  const before = await hashes();
  await user.upload('passport_page', await anyPicture(1_300, 900));
  expect(await hashes()).toHaveLength(1);
  expect(await hashes()).not.toEqual(before);
});

test('a kind that this method does not take is unknown', async () => {
  const { id, user } = await started();
  for (const kind of ['selfie', 'bank', 'x', ''])
    expect((await post(`${user.path}/picture?kind=${kind}`, await anyPicture())).status, kind).toBe(404);
  expect(await kinds(id)).toEqual([]);
});

test('before the start and after everything was sent nothing is kept', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const path = new URL(json.verify_url).pathname;
  await post(`${path}/picture?kind=passport_page`, await anyPicture());
  expect(await kinds(json.id)).toEqual([]);

  const { id, user } = await started();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  await post(`${user.path}/picture?kind=card_front`, await anyPicture());
  expect(await kinds(id)).toEqual(['passport_page']);
});

/** Sends the first part of a picture and then stops. */
function slowSender({ path }: { path: string }) {
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path}/picture?kind=passport_page HTTP/1.1\r\nhost: x\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000\r\n\r\n--x',
  );
  return socket;
}

test('one upload of a link at a time: a second says to wait, another link is not kept waiting', async () => {
  const { user } = await started();
  const slow = slowSender(user);
  const second = async () => (await user.upload('passport_page', await anyPicture())).text;
  await expect.poll(second).toContain('still being received');
  const other = await started();
  expect((await other.user.upload('passport_page', await anyPicture())).text).toContain(
    'Is everything right?',
  );
  slow.destroy();
  await expect.poll(second).toContain('Is everything right?');
});

const walking = async (itsKey: string) => {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: itsKey, body });
  const user = person(harness, json.verify_url);
  await user.start();
  return user;
};
const upload = async (user: Awaited<ReturnType<typeof walking>>) =>
  (await user.upload('passport_page', await anyPicture())).text;

test('senders that stop in the middle keep nobody out, not even from their own address', async () => {
  const theirs = (await harness.key({ org: 'Slow', environment: 'live' })).key;
  const slow = await Promise.all(Array.from({ length: 26 }, () => walking(theirs)));
  const sockets: Socket[] = [];
  // A slow upload can be ended only a second after its start. So the slow uploads start one after the other.
  for (const user of slow) {
    sockets.push(slowSender(user));
    await pause(100);
  }
  for (const itsKey of [theirs, key]) {
    const user = await walking(itsKey);
    expect(await upload(user)).toContain('Is everything right?');
  }
  for (const socket of sockets) socket.destroy();
});

test('the back of a card takes a passport’s place, so that no two documents are mixed', async () => {
  const { id, user } = await started();
  await user.upload('card_front', await anyPicture());
  const back = await user.look();
  await user.upload('passport_page', await anyPicture());
  const form = await pictureForm(await anyPicture(), 'back.jpg');
  expect((await user.press('picture', form, back)).text).toContain('Which document do you want to use?');
  expect(await kinds(id)).toEqual(['card_back']);
});

test('where the flow takes no picture, the body is not read', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key: (await harness.key()).key,
    body: { method: 'document_only' },
  });
  expect(json.status).toBe('completed');
  const { status, headers } = await post(
    `${new URL(json.verify_url).pathname}/picture?kind=passport_page`,
    Buffer.from('x'),
  );
  expect([status, headers.location]).toEqual([303, expect.not.stringContaining('fault')]);
});

test('a form of 12 MB of tiny fields is refused without being taken apart', async () => {
  const { user } = await started();
  const page = await user.take('passport_page');
  const field = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n';
  const body = field.repeat(Math.floor(limits.pictureSizeBytesMax / field.length));
  const { text } = await user.press('picture', { body, type: 'multipart/form-data; boundary=x' }, page);
  expect(text).toContain('Choose a photo first.');
});

test('beyond a hundred photos no more are taken for a link, and refused photos count', async () => {
  const { id, user } = await started();
  await harness.rows`update verifications set pictures_taken = 98 where id = ${id}`;
  expect((await user.upload('passport_page', Buffer.from('no photo'))).text).toContain('role="alert"');
  expect((await user.upload('passport_page', await anyPicture())).text).toContain('Is everything right?');
  expect((await user.upload('passport_page', await anyPicture())).text).toContain('Too many photos');
});

test('no page shows anything of the evidence', async () => {
  const { user } = await started();
  const page = await user.upload('passport_page', await anyPicture(), 'geheim-jansen.jpg');
  expect(page.text).toContain('Is everything right?');
  expect(page.text).not.toMatch(/geheim|jansen|data:|base64/);
  expect(page.text).not.toMatch(/<img[^>]+src="(?!\.\.\/|assets|[\w-]+\/phone)/);
});
