import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness();

/** Returns every table with its rows as text. Bytes are in hex. */
async function dump(): Promise<Map<string, string>> {
  const tables = await harness.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const textOf = async (name: string) => {
    const rows = await harness.rows<{ row: string }>`select t::text as row from ${sql.table(name)} t`;
    return rows.map(({ row }) => row).join('\n');
  };
  return new Map(await Promise.all(tables.map(async ({ name }) => [name, await textOf(name)] as const)));
}

const spellingsOf = (text: string) => [
  text,
  ...(['hex', 'base64', 'base64url'] as const).map((encoding) =>
    Buffer.from(text).toString(encoding).replace(/=+$/, ''),
  ),
];

test('a dump of the database holds no key, no signing secret and no link', async () => {
  const reference = 'kanarie-reference';
  const partner = await startPartner(harness);
  const rotated = await partner.ask('POST', `${partner.path}/rotate-secret`, { overlap_hours: 1 });
  const created = await partner.ask('POST', '/verifications', { reference }, 'dumped');
  const replayed = await partner.ask('POST', '/verifications', { reference }, 'dumped');
  expect(replayed.text).toBe(created.text);
  await partner.receiver.waitFor(1);

  const token = new URL(created.json.verify_url).pathname.split('/').at(-1) ?? '';
  expect((await call(harness, 'GET', `/verify/${token}`)).status).toBe(200);
  const proof = Buffer.from(token, 'base64url').subarray(16);
  const tables = await dump();
  const everything = [...tables.values()].join('\n');
  expect(everything).toContain(created.json.id);
  for (const secret of [partner.key.slice(9), partner.endpoint.secret, rotated.json.secret, token])
    for (const spelling of spellingsOf(secret)) expect(everything.includes(spelling)).toBe(false);
  for (const bytes of [proof.toString('hex'), Buffer.alloc(32, 7).toString('hex')])
    expect(everything.includes(bytes)).toBe(false);

  // docs/security.md says who can read a reference in a dump. A table that it does not name must contain none.
  const withReference = [...tables].filter(([, rows]) =>
    spellingsOf(reference).some((spelling) => rows.includes(spelling)),
  );
  expect(withReference.map(([name]) => name).sort()).toEqual(['events', 'verifications']);
});
