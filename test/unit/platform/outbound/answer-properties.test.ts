import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { AnswerReader } from '#platform/outbound/answer.ts';
import { covers } from '#test/requirements.ts';
import { fc } from '#test/support/seed.ts';

const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const lineEnd = fc.oneof(
  { weight: 30, arbitrary: fc.constant('\r\n') },
  fc.constantFrom('\n', '\r', '\r\r\n'),
);
const statusLine = often(
  'HTTP/1.1 200 OK',
  'HTTP/1.1 204',
  'HTTP/1.1 304 X',
  'HTTP/1.1 500 No\tno',
  'HTTP/1.0 200 OK',
  'HTTP/1.9 200 OK',
  'HTTP/1.1  200 OK',
  'HTTP/1.1 200 O\rK',
  'HTTP/1.1 200 \xe9',
  'HTTP/1.1 200OK',
  'HTTP/2 200 OK',
);
const framing = fc.constantFrom(
  ...['content-length: 2', 'Content-Length:02', 'content-length: 0', 'transfer-encoding: chunked'],
  ...[
    'content-length : 2',
    ' content-length: 2',
    'content-length: +2',
    'content-length: 2, 2',
    'content-length: \x0b2',
  ],
  ...[
    'transfer-encoding: gzip, chunked',
    'transfer-encoding: chunked, chunked',
    'transfer-encoding: \x0bchunked',
  ],
);
const otherHeader = fc.constantFrom(
  ...['x: y', 'x:', 'x: \xe9', 'connection: keep-alive', 'keep-alive: timeout=5', 'connection: x, close'],
  ...[' folded', '\tfolded', 'oops', ': x', 'x y: z', 'x: a\0b', 'x: a\rb'],
);
/** A header that says where the body ends, and a body that ends there. */
const fitting = fc.constantFrom(
  { length: ['content-length: 2'], body: 'ok' },
  { length: ['transfer-encoding: chunked'], body: '2;x="y"\r\nok\r\n1 \r\n!\r\n0;z\r\na: b\r\n\r\n' },
);
const body = fc.oneof(
  fc.constantFrom('', 'ok', 'okok', 'o'),
  fc.constantFrom('0\r\n\r\n', '2\r\nok\r\n0\r\n\r\n', '2;x="y"\r\nok\r\n1\r\n!\r\n0;z\r\na: b\r\n\r\n'),
  fc.constantFrom(
    '2\nok\n0\n\n',
    '2\r\nokok\r\n0\r\n\r\n',
    '-2\r\nok\r\n0\r\n\r\n',
    'ffffffff\r\nok',
    '0x2\r\nok\r\n0\r\n\r\n',
  ),
  fc.constantFrom(
    '0\r\noops\r\n\r\n',
    '0\r\n fold\r\n\r\n',
    '0\r\nHTTP/1.1 500 X\r\n\r\n',
    '0\r\n',
    '2\r\nok\r\n',
  ),
);
const ending = fc.oneof(
  { weight: 3, arbitrary: fitting },
  fc.record({ length: fc.array(framing, { maxLength: 2 }), body }),
);
const answer = fc
  .record({
    interim: often(
      '',
      'HTTP/1.1 100 C\r\n\r\n',
      'HTTP/1.1 103 H\r\nlink: x\r\n\r\n',
      '\r\n',
      'HTTP/1.1 101 S\r\n\r\n',
    ),
    status: statusLine,
    ending,
    others: fc.array(otherHeader, { maxLength: 2 }),
    endsLast: fc.boolean(),
    ends: fc.array(lineEnd, { minLength: 6, maxLength: 6 }),
    after: often('', '\r\n', 'x', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  })
  .map(({ interim, status, ending: { length, body }, others, endsLast, ends, after }) => {
    const lines = [status, ...(endsLast ? [...others, ...length] : [...length, ...others]), ''];
    return Buffer.from(
      `${interim}${lines.map((line, at) => line + ends[at]).join('')}${body}${after}`,
      'latin1',
    );
  });

/** What our reader makes of the pieces. */
function ours(pieces: readonly Buffer[]) {
  const reader = new AnswerReader();
  try {
    for (const piece of pieces) reader.add(piece);
  } catch (error) {
    return { refused: String(error) };
  }
  return {
    status: reader.head?.status,
    isOver: reader.body?.isOver,
    excerpt: reader.body?.excerpt.toString('latin1'),
    isKept: reader.body?.isClean === true && (reader.head?.keptMs ?? 0) > 0,
  };
}

/** What the parser of Node makes of the bytes of an answer that the connection does not end. */
async function nodes(bytes: Buffer) {
  const connection = new Duplex({ read: () => undefined, write: (_, __, done) => done() });
  const sent = request({ method: 'POST', createConnection: () => connection, insecureHTTPParser: true });
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = (response: IncomingMessage) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece) => pieces.push(piece)).on('error', (error) => resolve(String(error)));
    response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(pieces).toString('latin1')}`));
  };
  sent.on('response', read).on('error', (error) => resolve(String(error)));
  sent.end('{}', () => connection.push(bytes));
  const result = await promise;
  connection.destroy();
  return result;
}

test('an answer is read alike, however it is cut', () => {
  fc.assert(
    fc.property(answer, fc.array(fc.nat(400), { maxLength: 5 }), (bytes, cuts) => {
      const places = [
        0,
        ...cuts.filter((at) => at < bytes.length).sort((one, other) => one - other),
        bytes.length,
      ];
      const pieces = places.slice(1).map((at, before) => bytes.subarray(places[before], at));
      expect(ours(pieces)).toEqual(ours([bytes]));
    }),
    { numRuns: 2_000 },
  );
});

test("a connection is kept only after an answer that Node's parser reads to the same end", async () => {
  covers('6.4/2xx-is-success');
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(answer, async (bytes) => {
      const read = ours([bytes]);
      if (!read.isKept) return;
      kept += 1;
      expect(await nodes(bytes)).toBe(`${read.status} ${read.excerpt}`);
    }),
    { numRuns: 2_000 },
  );
  expect(kept).toBeGreaterThan(100);
});
