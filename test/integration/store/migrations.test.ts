import { expect, test } from 'vitest';
import { migrate, schemaDifference } from '#store/migrate.ts';
import { migrationsList } from '#store/migrations/list.ts';
import { createDatabase } from '#test/support/database.ts';

test('four processes migrate at once and each migration runs once; then entities and schema agree', async () => {
  const { url } = await createDatabase({ migrated: false });
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  expect(runs.flat()).toEqual(migrationsList.map(({ name }) => name));
  expect(await schemaDifference(url)).toBe('');
});
