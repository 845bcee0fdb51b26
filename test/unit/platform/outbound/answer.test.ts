import { describe, expect, test } from 'vitest';
import { AnswerReader } from '#platform/outbound/answer.ts';
import { covers } from '#test/requirements.ts';

const line = (status: number, ...headers: string[]) =>
  [`HTTP/1.1 ${status} X`, ...headers, '', ''].join('\r\n');
const chunked = 'transfer-encoding: chunked';

/** Reads an answer in one piece, in pieces of one byte and in two pieces, with the same result. */
function read(text: string) {
  const bytes = Buffer.from(text, 'latin1');
  const inOnePiece = readOf([bytes]);
  expect(readOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(inOnePiece);
  for (let at = 1; at < bytes.length; at++)
    expect(readOf([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(inOnePiece);
  return inOnePiece;
}

function readOf(pieces: readonly Buffer[]) {
  const reader = new AnswerReader();
  for (const piece of pieces) reader.add(piece);
  const { head, body } = reader;
  return {
    status: head?.status,
    excerpt: body?.excerpt.toString('latin1'),
    isOver: body?.isOver,
    isKept: body?.isClean === true && (head?.keptMs ?? 0) > 0,
  };
}
const whole = { status: 200, excerpt: 'ok', isOver: true };

describe('the status counts, whatever else is wrong with an answer, and a connection is kept only after a sound one', () => {
  covers('6.4/2xx-is-success');

  test.each<[string, string, object]>([
    ['a length', `${line(200, 'content-length: 2')}ok`, { ...whole, isKept: true }],
    ['chunks', `${line(200, chunked)}2\r\nok\r\n0\r\n\r\n`, { ...whole, isKept: true }],
    [
      'chunks with extensions and trailers',
      `${line(200, chunked)}2;a\r\nok\r\n0\r\na: b\r\n\r\n`,
      { ...whole, isKept: true },
    ],
    ['no body', line(204), { status: 204, excerpt: '', isOver: true, isKept: true }],
    [
      '100 and 103 before it',
      `${line(100)}${line(103, 'link: x')}${line(200, 'content-length: 2')}ok`,
      { ...whole, isKept: true },
    ],
    [
      'a length and chunks',
      `${line(200, 'content-length: 2', chunked)}2\r\nok\r\n0\r\n\r\n`,
      { ...whole, isKept: false },
    ],
    [
      'chunks and a length',
      `${line(200, chunked, 'content-length: 9')}2\r\nok\r\n0\r\n\r\n`,
      { ...whole, isKept: false },
    ],
    [
      'two lengths that agree',
      `${line(200, 'content-length: 2', 'content-length: 2')}ok`,
      { ...whole, isKept: false },
    ],
    [
      'two lengths that differ',
      `${line(200, 'content-length: 9', 'content-length: 2')}ok`,
      { ...whole, isKept: false },
    ],
    [
      'a length with a sign',
      `${line(200, 'content-length: +2')}ok`,
      { status: 200, isOver: false, isKept: false },
    ],
    [
      'a coding that nobody knows',
      `${line(200, 'transfer-encoding: gzip, chunked')}ok`,
      { status: 200, isOver: false, isKept: false },
    ],
    ['more than it said', `${line(200, 'content-length: 2')}okok`, { ...whole, isKept: false }],
    [
      'a bare LF in its chunks',
      `${line(200, chunked)}2\nok\n0\n\n`,
      { status: 200, isOver: true, isKept: false },
    ],
    [
      'a chunk longer than its size',
      `${line(200, chunked)}2\r\nokok\r\n0\r\n\r\n`,
      { status: 200, isOver: true, isKept: false },
    ],
    [
      'more than its last chunk',
      `${line(200, chunked)}0\r\n\r\nHTTP`,
      { status: 200, isOver: true, isKept: false },
    ],
    ['a body with 204', `${line(204, 'content-length: 2')}ok`, { status: 204, isOver: true, isKept: false }],
    [
      'an end that it announces',
      `${line(200, 'Connection: x, Close', 'content-length: 2')}ok`,
      { ...whole, isKept: false },
    ],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', { ...whole, isKept: false }],
    ['lines that end with a bare LF', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok', { ...whole, isKept: true }],
    ['a line that is no header', `${line(200, 'oops', 'content-length: 2')}ok`, { ...whole, isKept: false }],
    ['a header without a name', `${line(200, ': x', 'content-length: 2')}ok`, { ...whole, isKept: false }],
    ['a folded header', `${line(200, 'x: y', ' z', 'content-length: 2')}ok`, { ...whole, isKept: false }],
    // The standard has this length as a part of the line before. Then the body ends with the connection.
    ['a folded length', `${line(200, 'x: y', ' content-length: 2')}ok`, { ...whole, isKept: false }],
    ['a space before a colon', `${line(200, 'content-length : 2')}ok`, { ...whole, isKept: false }],
    [
      'a bare CR',
      `${line(200, 'x: y\rcontent-length: 9', 'content-length: 2')}ok`,
      { ...whole, isKept: false },
    ],
    ['a CR too many', 'HTTP/1.1 200 OK\n\rcontent-length: 2\r\n\r\nok', { ...whole, isKept: false }],
    [
      'a coding after a character that nobody sees',
      `${line(200, 'transfer-encoding: \x0bchunked')}2\r\nok\r\n0\r\n\r\n`,
      { ...whole, isKept: false },
    ],
    ['U+0000', `${line(200, 'x: \0', 'content-length: 2')}ok`, { ...whole, isKept: false }],
    [
      'two spaces before its status',
      'HTTP/1.1  200 OK\r\ncontent-length: 2\r\n\r\nok',
      { ...whole, isKept: false },
    ],
    ['a later minor version', 'HTTP/1.9 200 OK\r\ncontent-length: 2\r\n\r\nok', { ...whole, isKept: false }],
    [
      'the next answer in place of the end of its chunks',
      `${line(200, chunked)}2\r\nok\r\n0\r\nHTTP/1.1 500 X\r\n\r\n`,
      { ...whole, isKept: false },
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });
});

test.each([
  'SSH-2.0-x\r\n',
  '<html>',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/1.1 099 X\r\n\r\n',
  'HTTP/1.1 2000 X\r\n\r\n',
  'http/1.1 200 OK\r\n\r\n',
  line(101, 'upgrade: websocket'),
  `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(17_000)}`,
  `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`,
])('%j is no answer', (text) => {
  const reader = new AnswerReader();
  expect(() => reader.add(Buffer.from(text))).toThrow('malformed_answer');
});

test.each(['', 'HTT', 'HTTP/1.1 20', 'HTTP/1.1 200 OK\r\n', line(100), '\r\n', `${line(103)}HTTP/1.1`])(
  '%j may still become an answer',
  (text) => {
    const reader = new AnswerReader();
    reader.add(Buffer.from(text));
    expect(reader.head).toBeUndefined();
  },
);

test.each([
  ['line ends', '\r\n'],
  ['interim answers', line(103)],
])('%s before an answer count towards the bounds of its head', (_, before) => {
  const few = new AnswerReader();
  few.add(Buffer.from(before.repeat(400) + line(200)));
  expect(few.head?.status).toBe(200);
  const many = new AnswerReader();
  const addAll = () => {
    for (let count = 0; count < 20_000; count++) many.add(Buffer.from(before));
  };
  expect(addAll).toThrow('malformed_answer');
});

test('of a body no more is held than the excerpt needs', () => {
  const reader = new AnswerReader();
  reader.add(Buffer.from(line(200)));
  expect(reader.body?.isOver).toBe(false);
  reader.add(Buffer.alloc(8_192, 'x'));
  expect([reader.body?.isOver, reader.body?.excerpt.length]).toEqual([true, 8_192]);
});

test.each([
  ['a head', `HTTP/1.1 200 OK\r\n${':\n'.repeat(8_000)}`],
  ['chunks', `${line(200, chunked)}${'1\r\nx\r\n'.repeat(2_600)}`],
  ['trailers', `${line(200, chunked)}0\r\n${'x:\r\n'.repeat(3_200)}`],
])('%s in pieces of one byte take no more work than their bytes', (_, text) => {
  const reader = new AnswerReader();
  const { user: before } = process.cpuUsage();
  for (const byte of Buffer.from(text)) {
    reader.add(Buffer.from([byte]));
    reader.body?.isOver;
  }
  expect((process.cpuUsage().user - before) / 1_000_000).toBeLessThan(1);
});
