import { expect, test } from 'vitest';
import { openStore } from '#store/connection.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { createDatabase } from '#test/support/database.ts';
import { rowsIn } from '#test/support/rows.ts';

test('with sslmode=verify-full no connection is made in clear', async () => {
  const { url } = await createDatabase({ migrated: true });
  const ask = async (databaseUrl: string) => {
    const store = await openStore(databaseUrl, 1);
    atTheEnd(store.close);
    return rowsIn(store)`select 1 as found`;
  };
  expect(await ask(url)).toEqual([{ found: 1 }]);
  await expect(ask(`${url}?sslmode=verify-full`)).rejects.toThrow(/does not support SSL/);
});
