import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../../shared/store/migrations/', import.meta.url);
const migrations = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));

/** Changes that would break the version before, which still runs while a new version is deployed. */
const breaking = [
  /\bdrop\s+(table|column|view|type)\b/i,
  /\brename\s+(to|column|constraint)\b/i,
  /\bset\s+not\s+null\b/i,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  /\badd\s+column\s+(?![^,;`]*\b(null(?<!not\s+null)|default)\b)[^,;`]*not\s+null/i,
];
const faultsIn = (sql: string) => breaking.filter((pattern) => pattern.test(sql));

// The first migration creates the schema, so no version runs before it.
test.each(migrations.slice(1))('%s leaves a schema that the version before it can use', (name) => {
  const source = readFileSync(new URL(name, folder), 'utf8');
  expect(faultsIn(source)).toEqual([]);
});

test.each([
  'alter table events drop column body',
  'alter table events rename column body to bytes',
  'alter table events alter column body set not null',
  'alter table events alter column type type varchar(3)',
  'alter table events add column priority smallint not null',
])('"%s" is refused', (sql) => expect(faultsIn(sql)).toHaveLength(1));

test('a migration that only adds is not', () => {
  expect(faultsIn('alter table events add column a int not null default 0, add column b text null')).toEqual(
    [],
  );
  expect(faultsIn('alter table events alter column body drop not null')).toEqual([]);
});
