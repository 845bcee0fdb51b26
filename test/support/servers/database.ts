import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { atTheEnd } from '../at-the-end.ts';

/** Runs statements one after another, each in a transaction of its own. Returns the rows of the last statement. */
export async function queryAt(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const urlOf = (database: string, user: string = inject('databaseUrl')) =>
  Object.assign(new URL(user), { pathname: `/${database}` }).toString();

async function newDatabase(template?: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const copied = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await queryAt(urlOf('postgres'), `create database ${name} owner verification_owner${copied}`);
  return name;
}

const newMigrated = () => newDatabase(new URL(inject('databaseUrl')).pathname.slice(1));

/** Postgres takes half a second for a copy, so the next one is made while the tests of a file run. */
let nextMigrated: Promise<string> | undefined;

async function takeMigrated(): Promise<string> {
  const taken = nextMigrated ?? newMigrated();
  nextMigrated = undefined;
  const name = await taken;
  nextMigrated ??= newMigrated();
  // A copy that fails is said by whoever takes it.
  nextMigrated.catch(() => undefined);
  return name;
}

/** Creates a database on the server of the test run, migrated or empty. It is dropped after the last test of the file. */
export async function createDatabase({ migrated }: { migrated: boolean }) {
  const name = await (migrated ? takeMigrated() : newDatabase());
  atTheEnd(() => queryAt(urlOf('postgres'), `drop database ${name} with (force)`));
  const { owner, app, housekeeping } = inject('roleUrls');
  return {
    name,
    url: urlOf(name),
    roleUrls: { owner: urlOf(name, owner), app: urlOf(name, app), housekeeping: urlOf(name, housekeeping) },
  };
}
