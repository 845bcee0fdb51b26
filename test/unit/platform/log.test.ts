import { expect, test } from 'vitest';
import { createLog, type Log, warnOfPlainConsole } from '#platform/log.ts';

function lineOf(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  const log = createLog({ level: 'info', format: 'json' }, { write: (line) => void lines.push(line) });
  log.info(fields, 'said');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

test('fields that could hold a secret are cut out of a line, however deep they stand', () => {
  const secrets = { authorization: 'kanarie', secret: 'kanarie', key: { id: 'kanarie' } };
  const bare = Object.assign(Object.create(null), { secret: 'kanarie', status: 200 });
  const line = lineOf({ ...secrets, key_id: 'k', one: { ...secrets, two: { ...secrets, count: 2 } }, bare });
  expect(line).toEqual({
    level: 30,
    time: expect.any(String),
    key_id: 'k',
    one: { two: { count: 2 } },
    bare: { status: 200 },
    msg: 'said',
  });
});

test('what is no collection of fields is written as it is, and an error without its message', () => {
  const at = new Date(0);
  const line = lineOf({
    at,
    list: [1, 'two'],
    nothing: null,
    absent: undefined,
    err: new TypeError('kanarie'),
  });
  expect(line).toMatchObject({ at: at.toJSON(), list: [1, 'two'], nothing: null });
  expect(line).not.toHaveProperty('absent');
  expect(line.err).toMatchObject([{ name: 'TypeError' }]);
  expect(JSON.stringify(line)).not.toContain('kanarie');
});

test.each<[url: string | undefined, warns: boolean]>([
  ['http://192.168.1.10:3001', true],
  ['http://console.localhost:3001', true],
  ['http://localhost:3001', false],
  ['http://127.0.0.1:3001', false],
  ['http://[::1]:3001', false],
  ['https://console.example.com', false],
  [undefined, false],
])('a console at %s has a warning at its start: %s', (url, warns) => {
  const said: string[] = [];
  const log = { warn: (text: string) => void said.push(text) } as unknown as Pick<Log, 'warn'>;
  warnOfPlainConsole({ console: url === undefined ? undefined : { port: 3001, url } }, log);
  expect(said.map((text) => text.includes('CONSOLE_URL is http'))).toEqual(warns ? [true] : []);
});
