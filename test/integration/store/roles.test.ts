import { describe, expect, test } from 'vitest';
import { migrate } from '#store/migrate.ts';
import { rights } from '#store/roles.ts';
import { createDatabase, queryAt } from '#test/support/database.ts';
import { fillLedger } from '#test/support/fill.ts';
import { startHarness } from '#test/support/harness.ts';

/** What the roles of the product may do. All other tests run with these roles, so they show that the rights are enough. */

const refused = { code: '42501' };

test('each table has its rights, and the roles have exactly these', async () => {
  const { url } = await createDatabase({ migrated: true });
  const tables = await queryAt(
    url,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(rights).sort());
  const granted = await queryAt(
    url,
    `select grantee, table_name as table, array_agg(lower(privilege_type) order by privilege_type) as rights
     from information_schema.role_table_grants where table_schema = 'public' and grantee <> 'postgres' group by 1, 2`,
  );
  const byColumn = await queryAt(
    url,
    `select table_name || ': ' || lower(privilege_type) || ' (' || string_agg(column_name::text, ', ' order by column_name) || ')' as text
     from information_schema.column_privileges as granted
     where table_schema = 'public' and grantee = 'verification_housekeeping' and not exists (
       select from information_schema.role_table_grants as whole
       where whole.grantee = granted.grantee and whole.table_name = granted.table_name
         and whole.privilege_type = granted.privilege_type and whole.table_schema = 'public')
     group by table_name, privilege_type order by 1`,
  );
  expect(byColumn.map(({ text }) => text)).toEqual([
    'data_keys: select (verification_id)',
    'ledger_personal: select (subject_id)',
    'webhook_endpoints: select (id, previous_secret, previous_secret_until)',
    'webhook_endpoints: update (previous_secret, previous_secret_until)',
  ]);
  const expected = Object.entries(rights).flatMap(([table, { app, housekeeping }]) => [
    { grantee: 'verification_app', table, rights: app },
    { grantee: 'verification_housekeeping', table, rights: housekeeping },
  ]);
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted(granted)).toEqual(
    sorted(
      expected
        .map((row) => ({ ...row, rights: row.rights.filter((right) => !right.includes('(')).toSorted() }))
        .filter((row) => row.rights.length > 0),
    ),
  );
});

test('a right that somebody added is taken back by the next migrate', async () => {
  const { url, roleUrls } = await createDatabase({ migrated: true });
  await queryAt(url, 'grant update on ledger to verification_app');
  await migrate(url);
  await expect(queryAt(roleUrls.app, `update ledger set type = 'x'`)).rejects.toMatchObject(refused);
});

describe('somebody who has stolen', async () => {
  const harness = await startHarness({ worker: false });
  const { organisationId: orgId } = await harness.key();
  const { url, roleUrls } = { url: harness.databaseUrl, roleUrls: harness.roleUrls };
  const [subject = ''] = await fillLedger(harness.ctx, { orgId, subjects: 1, linesEach: 3 });

  describe.each(['app', 'housekeeping'] as const)('the role %s', (role) => {
    test.each([
      ['change a line', `update ledger set data = '{}' where subject_id = '${subject}'`],
      ['empty the ledger', 'truncate ledger'],
      [
        'replace a line',
        `insert into ledger select * from ledger where subject_id = '${subject}'
        on conflict (subject_id, sequence) do update set type = 'x'`,
      ],
      ['lock the lines', `select from ledger where subject_id = '${subject}' for update`],
      ['switch off the constraints', 'alter table ledger disable trigger all'],
      ['create a table', 'create table mine (id int)'],
      ['drop a table', 'drop table ledger'],
      ['run a program on the server', `copy ledger to program 'cat'`],
      ['read a file of the server', `select pg_read_file('/etc/passwd')`],
      ['become the owner', 'set role postgres'],
      ['create a role', 'create role mine'],
    ])('cannot %s', async (_, statement) => {
      await expect(queryAt(roleUrls[role], statement)).rejects.toMatchObject(refused);
    });

    test('cannot give itself a right', async () => {
      const granted = queryAt(
        roleUrls[role],
        'grant update on ledger to current_user',
        `update ledger set type = 'x'`,
      );
      await expect(granted).rejects.toMatchObject(refused);
    });

    test('is no superuser and owns nothing', async () => {
      const [found] = await queryAt(
        roleUrls[role],
        `select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as powerful,
           (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
         from pg_roles where rolname = current_user`,
      );
      expect(found).toEqual({ powerful: false, owned: 0 });
    });
  });

  // What the role of housekeeping deletes is named: test/integration/housekeeping/removal.test.ts.
  test.each([
    ['cut the end of a chain', `delete from ledger where subject_id = '${subject}' and sequence = 3`],
    ['remove a chain', `delete from ledger where subject_id = '${subject}'`],
  ])('the role app cannot %s', async (_, statement) => {
    await expect(queryAt(roleUrls.app, statement)).rejects.toMatchObject(refused);
  });

  test('the role app cannot read a password, and the role housekeeping cannot read a key or a secret', async () => {
    await expect(queryAt(roleUrls.app, 'select * from pg_authid')).rejects.toMatchObject(refused);
    for (const table of ['api_keys', 'webhook_endpoints', 'ledger_personal'])
      await expect(queryAt(roleUrls.housekeeping, `select * from ${table}`)).rejects.toMatchObject(refused);
  });

  test('the role housekeeping cannot send the events of a partner to itself', async () => {
    for (const column of ['url', 'secret'])
      await expect(
        queryAt(roleUrls.housekeeping, `update webhook_endpoints set ${column} = ''`),
      ).rejects.toMatchObject(refused);
  });

  test('the ledger is as it was', async () => {
    expect(
      await queryAt(url, `select sequence from ledger where subject_id = '${subject}' order by 1`),
    ).toEqual([{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }]);
  });
});
