import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrationsList } from '#store/migrations/list.ts';
import { migrate, schemaDifference } from '#store/orm.ts';

const name = `t_${randomUUID().replaceAll('-', '')}`;
const url = new URL(inject('databaseUrl'));
url.pathname = `/${name}`;
const admin = new URL(inject('databaseUrl'));
admin.pathname = '/postgres';

const onServer = async (statement: string) => {
  const client = new pg.Client({ connectionString: admin.toString() });
  await client.connect();
  await client.query(statement);
  await client.end();
};
beforeAll(() => onServer(`create database ${name}`));
afterAll(() => onServer(`drop database ${name} with (force)`));

test('four processes migrate at once and each migration runs once; then entities and schema agree', async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url.toString())));
  expect(runs.flat()).toEqual(migrationsList.map(({ name }) => name));
  expect(await schemaDifference(url.toString())).toBe('');
});
