import { expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';

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
