import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { atTheEnd } from './at-the-end.ts';

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

/** Creates a database on the server of the test run, migrated or empty. It is dropped after the last test of the file. */
export async function createDatabase({ migrated }: { migrated: boolean }) {
  const template = new URL(inject('databaseUrl'));
  const urlOf = (database: string, user: string | URL = template) =>
    Object.assign(new URL(user), { pathname: `/${database}` }).toString();
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const copied = migrated ? ` template ${template.pathname.slice(1)} strategy file_copy` : '';
  await queryAt(urlOf('postgres'), `create database ${name} owner verification_owner${copied}`);
  atTheEnd(() => queryAt(urlOf('postgres'), `drop database ${name} with (force)`));
  const { owner, app, housekeeping } = inject('roleUrls');
  return {
    name,
    url: urlOf(name),
    roleUrls: { owner: urlOf(name, owner), app: urlOf(name, app), housekeeping: urlOf(name, housekeeping) },
  };
}
