import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../../shared/store/migrations/', import.meta.url);
const migrations = readdirSync(folder).filter((name) => /^\d{4}-.*\.ts$/.test(name));

/** Changes that would break the version before, which still runs while a new version is deployed. */
const breaking = [
  /\bdrop\s+(table|column|view|type)\b/i,
  /\brename\s+(to|column|constraint)\b/i,
  /\bset\s+not\s+null\b/i,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  /\badd\s+column\s+(?![^,;`]*\b(null(?<!not\s+null)|default)\b)[^,;`]*not\s+null/i,
];
/** A migration does not run the functions that it creates. */
const functionBodies = /\$function\$.*?\$function\$/gs;

/** A table may get another name if a new table takes its place. */
const replacedTables = /\balter\s+table\s+(\w+)\s+rename\s+to\s+\w+(?=.*\bcreate\s+table\s+\1\b)/gis;

/** No program names an index. */
const renamedIndexes = /\balter\s+index\s+\w+\s+rename\s+to\s+\w+/gi;

function faultsIn(sql: string): RegExp[] {
  const run = [functionBodies, replacedTables, renamedIndexes].reduce(
    (rest, harmless) => rest.replaceAll(harmless, ''),
    sql,
  );
  return breaking.filter((pattern) => pattern.test(run));
}

/** The first migration creates the schema, so no version runs before it, and no table exists. */
const later = migrations.slice(1);

test.each(later)('%s leaves a schema that the version before it can use', (name) => {
  const source = readFileSync(new URL(name, folder), 'utf8');
  expect(faultsIn(source)).toEqual([]);
});

test.each([
  'alter table events drop column body',
  'alter table events rename column body to bytes',
  'alter table events rename to happenings; create table happenings_before (id text)',
  'create function empty() returns void as $function$ drop table a $function$; drop table events',
  'alter table events alter column body set not null',
  'alter table events alter column type type varchar(3)',
  'alter table events add column priority smallint not null',
])('"%s" is refused', (sql) => expect(faultsIn(sql)).toHaveLength(1));

test('a migration that only adds or replaces is not', () => {
  expect(faultsIn('alter table events rename to events_before; create table events (id text)')).toEqual([]);
  expect(faultsIn('create function f() returns void as $function$ drop table a $function$')).toEqual([]);
  expect(faultsIn('alter table events add column a int not null default 0, add column b text null')).toEqual(
    [],
  );
  expect(faultsIn('alter table events alter column body drop not null')).toEqual([]);
});

/** Returns the statements of a migration that stop the writers of an existing table for as long as an index or a check takes. */
function stoppingWriters(sql: string): string[] {
  const made = [...sql.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(
    ([, table]) => table,
  );
  const exists = (table: string | undefined) => !made.includes(table);
  const indexes = [...sql.matchAll(/\bcreate\s+(?:unique\s+)?index\s[^;`]*?\bon\s+(?:only\s+)?(\w+)/gi)];
  const changes = [...sql.matchAll(/\balter\s+table\s+(?:only\s+)?(\w+)\s[^;`]*/gi)];
  const scans =
    /\badd\s+(?:column\s+[^,]*\b(?:unique|primary\s+key|check)\b|(?:constraint\s+\w+\s+)?(?:unique|primary\s+key|check|foreign\s+key|exclude)\b(?![^,]*\b(?:not\s+valid|using\s+index)\b))/i;
  return [
    ...indexes.filter(([, table]) => exists(table)),
    ...changes.filter(([change, table]) => exists(table) && scans.test(change)),
  ].map(([statement]) => statement);
}

test.each(later)('%s lets the writers of existing tables go on', (name) =>
  expect(stoppingWriters(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]),
);

test.each([
  'create index events_newest on events (created_at)',
  'create unique index events_of_key on events (org_id)',
  'create index concurrently events_newest on events (created_at)',
  'create table labels (id int); create index events_newest on events (created_at)',
  'alter table events add constraint events_label unique (label)',
  'alter table events add column a int null, add column b text null unique',
  "alter table events add check (type <> '')",
  'alter table events add constraint events_org foreign key (org_id) references organisations (id)',
])('"%s" stops writers, or needs the class ConcurrentIndexes', (sql) =>
  expect(stoppingWriters(sql)).toHaveLength(1),
);

test.each([
  'create table labels (id int); create index labels_newest on labels (id)',
  "alter table events add constraint events_type check (type <> '') not valid",
  'alter table events add constraint events_label unique using index events_label',
  'alter table events add column label text null',
])('"%s" stops nobody', (sql) => expect(stoppingWriters(sql)).toEqual([]));
