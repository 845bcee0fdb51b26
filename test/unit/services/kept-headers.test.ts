import { expect, test } from 'vitest';
import { keptHeaders } from '#services/attempts/kept-headers.ts';
import { fc } from '#test/support/seed.ts';

/** Of the headers of a receiver, which a stranger writes, little is kept, and nothing that can be a secret. */

test('values that help to find a fault are kept, in their order and as often as they came', () => {
  const lines = ['Server: nginx', 'X-Request-Id:  a1 ', 'Retry-After: 60', 'Via: 1.1 one', 'Via: 1.1 two'];
  expect(keptHeaders(lines)).toEqual({
    headers: [
      ['server', 'nginx'],
      ['x-request-id', 'a1'],
      ['retry-after', '60'],
      ['via', '1.1 one'],
      ['via', '1.1 two'],
    ],
    left: 0,
  });
});

test.each([
  ...['Set-Cookie', 'set-COOKIE', 'Set-Cookie2', 'Cookie', 'WWW-Authenticate', 'Proxy-Authenticate'],
  ...['Authorization', 'Authentication-Info', 'X-Api-Key', 'X-Amz-Security-Token', 'X-Forwarded-For'],
  ...['X-User-Email', 'Content-Disposition', 'Link', 'Refresh', 'X-Whatever'],
])('of %s only the name is kept', (name) =>
  expect(keptHeaders([`${name}: secret`])).toEqual({ headers: [[name.toLowerCase(), null]], left: 0 }),
);

test.each([
  ['a folded cookie', ['Set-Cookie: a=b;', '\tsecret: x', ' secret'], ['set-cookie']],
  ['a name with space before its colon', ['secret : x'], []],
  ['a name with a byte that no name has', ['se cret=x: y', 's\u0000ecret: x', 'secr\xe9t: x'], []],
  ['a line without a colon', ['secret'], []],
  ['a long name', [`${'secret'.repeat(11)}: x`], []],
])('of %s nothing else becomes a name', (_, lines, names) => {
  const { headers, left } = keptHeaders(lines);
  expect(headers.map(([name]) => name)).toEqual(names);
  expect(left).toBe(lines.length - names.length);
});

test.each([
  ['/login', '/login'],
  ['https://other.example/a/b', 'https://other.example/a/b'],
  ['/login?token=secret&next=/', '/login…'],
  ['/a#secret', '/a…'],
  ['/a;jsessionid=secret', '/a…'],
  ['https://user:secret@other.example/', null],
  ['/people/secret%40example.org', null],
])('of the location %s the parameters and names are left out', (location, kept) =>
  expect(keptHeaders([`Location: ${location}`]).headers).toEqual([['location', kept]]),
);

test('control characters and bytes beyond ASCII are shown as such', () =>
  expect(keptHeaders(['Server: a\u001b[2J\u0000b\rc\xe9\u202e<b>']).headers).toEqual([
    ['server', 'a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}<b>'],
  ]));

test('ten thousand headers and a value of a megabyte are cut, and it is said how many are not kept', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `X-Many-${n}: x`);
  expect(keptHeaders(many)).toMatchObject({ headers: { length: 30 }, left: 9_970 });
  const { headers } = keptHeaders([`Server: ${'s'.repeat(1_000_000)}`]);
  expect(headers).toEqual([['server', `${'s'.repeat(200)}…`]]);
  const long = Array.from({ length: 30 }, () => `Via: ${'v'.repeat(200)}`);
  expect(keptHeaders(long)).toMatchObject({ headers: { length: 20 }, left: 10 });
});

const name = fc.oneof(
  fc.constantFrom('Server', 'via', 'Location', 'Set-Cookie', 'Date', ' server', 'X-Request-Id'),
  fc.string({ unit: 'binary', maxLength: 80 }),
);
const anyLine = fc
  .tuple(name, fc.constantFrom(':', ' :', ''), fc.string({ unit: 'binary', maxLength: 600 }))
  .map((parts) => parts.join(''));

test('whatever the lines are, what is kept is small, is printable, and says how much is missing', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 60 }), (lines) => {
      const { headers, left } = keptHeaders(lines);
      const texts = headers.flatMap(([each, value]) => [each, value ?? '']);
      expect(texts.join('')).toMatch(/^[ -~…\u{FFFD}]*$/u);
      expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(4_096);
      expect(Math.max(0, ...texts.map((text) => text.length))).toBeLessThanOrEqual(201);
      expect(headers.length).toBeLessThanOrEqual(30);
      expect(headers.length + left).toBe(lines.length);
    }),
  );
});
