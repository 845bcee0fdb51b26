import { expect, test } from 'vitest';
import { notPersonal, processing } from '#test/support/documents/processing.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';

/** The record of processing in docs/guide/data-protection.md is made of this list, so the list must know every column. */

const listed = (columns: string) => columns.split(', ');

test('every column of the database is in the record of processing, or is known to say nothing of a person', async () => {
  const { url } = await createDatabase({ migrated: true });
  const columns = await queryAt(
    url,
    `select c.relname as table, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped`,
  );
  const real = columns.map(({ table, column }) => `${table}.${column}`);
  const ofTable = (table: string, columns: string) =>
    columns === '*'
      ? real.filter((name) => name.startsWith(`${table}.`))
      : listed(columns).map((column) => `${table}.${column}`);
  const known = [
    ...Object.entries(processing).flatMap(([table, groups]) =>
      groups.flatMap(({ columns }) => ofTable(table, columns)),
    ),
    ...Object.entries(notPersonal).flatMap(([table, columns]) => ofTable(table, columns)),
  ];
  expect(known.toSorted()).toEqual(real.toSorted());
});
