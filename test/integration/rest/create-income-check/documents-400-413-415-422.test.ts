import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { bodyWithDocumentsBytesMax } from '#api/middleware/documents.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key({ environment: 'live' });

const pdf = (bytes: number, first = 'a') => {
  const file = Buffer.alloc(bytes, first);
  file.write('%PDF-1.7\n');
  return file;
};
const documentOf = (file: Buffer | string, more: object = {}) => ({
  content_type: 'application/pdf',
  content_base64: typeof file === 'string' ? file : file.toString('base64'),
  ...more,
});
const post = (rawBody: string, headers?: Record<string, string>) =>
  call(harness, 'POST', '/v1/income-checks', { key, rawBody, ...(headers && { headers }) });
const send = (documents: unknown, more: object = {}) => post(JSON.stringify({ documents, ...more }));
const small = pdf(100);
const large = pdf(200_000);

describe.each([
  ['of the usual size', ''],
  ['that is large', 'x'.repeat(70_000)],
])('in a body %s', (_, padding) => {
  // A document that is refused by itself, so that the rest decides.
  const padded = (...documents: object[]) => [...documents, ...(padding ? [documentOf(large)] : [])];

  test.each([
    [
      [documentOf(small, { content_type: 'image/png' })],
      /^documents\.0\.content_type must be one of application\/pdf\.$/,
    ],
    [[documentOf('geheim!')], 'documents.0.content_base64 must be base64.'],
    [
      [documentOf(small.toString('base64url').replace(/.$/, '_'))],
      'documents.0.content_base64 must be base64.',
    ],
    [[documentOf('')], 'documents.0.content_base64 must be base64.'],
    [[{ content_type: 'application/pdf' }], 'documents.0.content_base64 must be base64.'],
    [[documentOf(Buffer.from('a text'))], 'documents.0.content_base64 must be a PDF.'],
    [[documentOf(small), documentOf(small)], 'documents must not have a document twice.'],
    [[documentOf(small, { size: 1 })], 'documents.0.size is not a known field.'],
    [['text'], 'documents.0 must be a JSON object.'],
  ])('%# what is no document is named, and nothing is started', async (documents, message) => {
    const { status, json } = await send(padded(...(documents as object[])));
    expect(status).toBe(422);
    expect(json.error.message).toMatch(message);
    expect(JSON.stringify(json)).not.toContain('geheim');
    expect(await harness.rows`select from requests`).toEqual([]);
  });

  test('JSON that does not end is 400', async () => {
    const { status, json } = await post(`{"documents":[],"reference":"${padding}`);
    expect([status, json.error.code]).toEqual([400, 'invalid_json']);
  });
});

test('documents that are no list, and more than five, are 422', async () => {
  expect((await send({ 0: documentOf(small) })).json.error.message).toBe('documents must be an array.');
  expect((await send([])).json.error.message).toBe('documents must not be empty.');
  const six = Array.from({ length: 6 }, (_, n) => documentOf(pdf(100, String(n))));
  expect((await send(six)).json.error.message).toBe('documents must be at most 5.');
});

test('a document of more than 10 MB is 413', async () => {
  const { status, json } = await send([documentOf(pdf(10_000_001))]);
  expect(status).toBe(413);
  expect(json.error.message).toBe(
    'A document is larger than 10 MB, or the rest of the body larger than 64 KiB.',
  );
});

test('what is large and no document is 413', async () => {
  for (const body of [{ reference: 'x'.repeat(70_000) }, { documents: ['x'.repeat(1_000_000)] }])
    expect((await post(JSON.stringify(body))).status).toBe(413);
  const eleven = Array.from({ length: 11 }, () => documentOf(large));
  expect((await send(eleven)).status).toBe(413);
});

test('many levels in a body of the usual size are no matter of its size', async () => {
  const rawBody = `{"documents":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect((await post(rawBody)).json.error.message).toMatch(/^documents\.0 must be a JSON object/);
});

test('a slash may have a backslash, as some writers have it, and a name of a file must be text', async () => {
  const file = Buffer.from(large);
  file.fill(0xff, 20);
  const escaped = JSON.stringify({ documents: [documentOf(file)] }).replaceAll('/', '\\/');
  expect(escaped).toContain('\\/\\/');
  const { status, json } = await post(escaped);
  expect([status, json.documents?.[0]?.sha256]).toEqual([
    201,
    createHash('sha256').update(file).digest('hex'),
  ]);
  expect((await send([documentOf(small, { filename: '\ud800' })])).json.error.code).toBe('invalid_parameter');
});

test('a body that is declared larger than five documents is 413 before it is read', async () => {
  const { statusCode, body } = await request(`${harness.url}/v1/income-checks`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'content-length': String(bodyWithDocumentsBytesMax + 1),
    },
    body: Buffer.alloc(bodyWithDocumentsBytesMax + 1, ' '),
  });
  expect(statusCode).toBe(413);
  await body.dump();
});

test('a body of unknown length is read like any other, and may not be large', async () => {
  for (const [documents, expected] of [
    [[documentOf(small)], 201],
    [[documentOf(large)], 413],
    [[documentOf('geheim!')], 422],
  ] as const) {
    const { statusCode, body } = await request(`${harness.url}/v1/income-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: Readable.from([JSON.stringify({ documents })]),
    });
    expect(statusCode).toBe(expected);
    await body.dump();
  }
});

test('a large body of another type is 415', async () => {
  const { status } = await post('x'.repeat(70_000), { 'content-type': 'multipart/form-data; boundary=x' });
  expect(status).toBe(415);
});

test('no other request may be as large', async () => {
  const rawBody = JSON.stringify({ documents: [documentOf(large)] });
  expect((await call(harness, 'POST', '/v1/verifications', { key, rawBody })).status).toBe(413);
});
