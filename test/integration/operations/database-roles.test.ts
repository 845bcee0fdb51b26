import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, schemaDifference } from '#store/database/migrate.ts';
import { migrationsList } from '#store/migrations/list.ts';
import { queryAt } from '#test/support/servers/database.ts';
import {
  postgresPrograms,
  postgresProgramsMissing,
  startFullPostgres,
} from '#test/support/servers/full-postgres.ts';

/** The files of SQL that compose runs, on one server for the product and for Temporal. */

const refused = { code: '42501' };

async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'database-roles-'));
  chmodSync(folder, 0o711);
  const postgres = await startFullPostgres(folder);
  onTestFinished(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const password = 'p';
  const psql = (file: string) =>
    execFileSync(
      join(postgresPrograms ?? '', 'psql'),
      ['--no-psqlrc', '--quiet', `--file=docs/operations/${file}`, `${postgres.url}/verification`],
      {
        env: {
          ...process.env,
          ...{ OWNER_PASSWORD: password, APP_PASSWORD: password, HOUSEKEEPING_PASSWORD: password },
          TEMPORAL_PASSWORD: password,
        },
      },
    );
  const at = (role: string, database: string, ...statements: string[]) =>
    queryAt(`${postgres.url.replace('postgres@', `${role}:${password}@`)}/${database}`, ...statements);
  return { url: postgres.url, psql, at };
}

test('each role uses its own database alone, however often the files are run', async ({ skip }) => {
  skip(postgresProgramsMissing !== undefined, postgresProgramsMissing);
  const { url, psql, at } = await startServer();
  await queryAt(`${url}/postgres`, 'create database verification');
  for (const file of ['roles.sql', 'temporal-roles.sql', 'roles.sql', 'temporal-roles.sql']) psql(file);

  for (const database of ['temporal', 'temporal_visibility']) {
    await at('temporal', database, 'create table if not exists own (id int)', 'select from own');
    for (const role of ['verification_owner', 'verification_app', 'verification_housekeeping'])
      await expect(at(role, database, 'select 1'), `${role} in ${database}`).rejects.toMatchObject(refused);
  }
  await at(
    'verification_owner',
    'verification',
    'create table own (id int)',
    'create temporary table t (id int)',
  );
  for (const role of ['verification_app', 'verification_housekeeping', 'temporal'])
    for (const statement of [
      'select from own',
      'create table mine (id int)',
      'create temporary table t (id int)',
    ])
      await expect(at(role, 'verification', statement), `${role}: ${statement}`).rejects.toMatchObject(
        refused,
      );
});

test('migrate makes the schema on an older Postgres, and it is what the entities say', async ({ skip }) => {
  skip(postgresProgramsMissing !== undefined, postgresProgramsMissing);
  const { url, psql } = await startServer();
  await queryAt(`${url}/postgres`, 'create database verification');
  psql('roles.sql');
  const owner = `${url.replace('postgres@', 'verification_owner:p@')}/verification`;
  expect(await migrate(owner)).toEqual(migrationsList.map(({ name }) => name));
  expect(await schemaDifference(owner)).toBe('');
});
