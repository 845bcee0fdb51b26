import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';

export const startMsMax = 60_000;

/** Waits until the condition is true. An error counts as false. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  msMax = startMsMax,
  everyMs = 100,
): Promise<void> {
  for (const deadline = Date.now() + msMax; Date.now() < deadline; await pause(everyMs))
    if (await holds().catch(() => false)) return;
  throw new Error(`waited ${msMax / 1_000} s in vain until ${what}`);
}

export async function queryOnce<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export async function withTemporal<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 });
  try {
    return await connection.withDeadline(Date.now() + 10_000, () => use(new Client({ connection })));
  } finally {
    await connection.close();
  }
}

export const readLines = <Line>(file: string): Line[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line)
    : [];
