import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();

test.each(['sandbox', 'live'] as const)(
  'a %s key that was used is kept as its SHA-256 and in no other form',
  async (environment) => {
    covers('5/key-stored-as-hash');
    const { id, key } = await harness.key({ environment });
    const headers = { 'idempotency-key': environment };
    expect((await call(harness, 'POST', '/v1/verifications', { key, headers })).status).toBe(201);

    const rows = await harness.rows<{ hash: Buffer }>`
    select hash from api_keys where id = ${id}`;
    const hash = createHash('sha256').update(key).digest();
    expect(rows[0]?.hash).toEqual(hash);

    const everything = await everyRow();
    expect(everything).toContain(hash.toString('hex'));
    const secret = key.slice('svc_test_'.length);
    for (let at = 0; at + 8 <= secret.length; at++)
      expect(everything).not.toContain(secret.slice(at, at + 8));
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(everything).not.toContain(Buffer.from(secret).toString(encoding).slice(0, 40));
  },
);

/** Returns everything in the database as text. Bytes are in hex. */
async function everyRow(): Promise<string> {
  const tables = await harness.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await harness.rows<{ row: string }>`select t::text as row from ${sql.table(name)} t`;
      return rows.map(({ row }) => row);
    }),
  );
  return texts.flat().join('\n');
}
