import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { migrate } from '#store/database/migrate.ts';
import { tableRights } from '#store/database/roles.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { startHarness } from '#test/support/harness.ts';
import { fillLedger } from '#test/support/rows/fill.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';

/** What the roles of the product may do. All other tests run with these roles, so they show that the rights are enough. */

const refused = { code: '42501' };

test('each table has its rights, and the roles have exactly these', async () => {
  const { url } = await createDatabase({ migrated: true });
  const tables = await queryAt(
    url,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(tableRights).sort());
  const granted = await queryAt(
    url,
    `select grantee, table_name as table, array_agg(lower(privilege_type) order by privilege_type) as rights
     from information_schema.role_table_grants where table_schema = 'public' and grantee not in ('postgres', 'verification_owner') group by 1, 2`,
  );
  const byColumn = await queryAt(
    url,
    `select grantee, table_name as table, lower(privilege_type) || ' (' || string_agg(column_name::text, ', ' order by column_name) || ')' as text
     from information_schema.column_privileges as granted
     where table_schema = 'public' and grantee not in ('postgres', 'verification_owner') and not exists (
       select from information_schema.role_table_grants as whole
       where whole.grantee = granted.grantee and whole.table_name = granted.table_name
         and whole.privilege_type = granted.privilege_type and whole.table_schema = 'public')
     group by grantee, table_name, privilege_type`,
  );
  const expected = Object.entries(tableRights).flatMap(([table, { app, housekeeping }]) => [
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
  const inOrder = (right: string) =>
    right.replace(/\((.*)\)/, (_, columns: string) => `(${columns.split(', ').sort().join(', ')})`);
  expect(sorted(byColumn)).toEqual(
    sorted(
      expected.flatMap(({ rights, ...row }) =>
        rights.filter((right) => right.includes('(')).map((right) => ({ ...row, text: inOrder(right) })),
      ),
    ),
  );
});

test('a right that somebody added is taken back by the next migrate', async () => {
  const { roleUrls } = await createDatabase({ migrated: true });
  await queryAt(roleUrls.owner, 'grant update on ledger to verification_app');
  await migrate(roleUrls.owner);
  await expect(queryAt(roleUrls.app, `update ledger set type = 'x'`)).rejects.toMatchObject(refused);
});

describe('somebody who has stolen', async () => {
  const harness = await startHarness({ worker: false });
  const { organisationId: orgId } = await harness.key();
  const { url, roleUrls } = { url: harness.databaseUrl, roleUrls: harness.roleUrls };
  const [subject = ''] = await fillLedger(harness.ctx, { orgId, subjects: 1, linesEach: 3 });
  // A trigger refuses another address, and it needs a row.
  await harness.rows`
    insert into members (id, org_id, email, role) values (gen_random_uuid(), ${orgId}, 'a@example.com', 'owner')`;

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
      ['become the owner', 'set role verification_owner'],
      ['become the superuser', 'set role postgres'],
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

  test.each([
    ['make a sandbox verification one of live', `update verifications set environment = 'live'`],
    ['move a verification to another organisation', 'update verifications set org_id = id'],
    ['remove a verification', 'delete from verifications'],
    ['change what a machine found', `update examinations set checks = '[]'`],
    ['remove what a machine found', 'delete from examinations'],
    ['change a decision', `update review_decisions set outcome = 'approved'`],
    ['put a decision down to somebody else', `update review_decisions set member_id = 'x'`],
    ['widen the rights of a key', `update api_keys set grants = '{verify:create}'`],
    ['make a key of sandbox one of live', `update api_keys set environment = 'live'`],
    ['give a key another secret', `update api_keys set hash = ''`],
    ['remove a key', 'delete from api_keys'],
    ['lead events elsewhere', `update webhook_endpoints set url = ''`],
    ['say that an event went elsewhere', 'update deliveries set endpoint_id = id'],
    ['remove a delivery', 'delete from deliveries'],
    ['give a member another address', `update members set email = ''`],
    ['move a member to another organisation', 'update members set org_id = id'],
    ['remove a member', 'delete from members'],
    ['take over the session of a member', `update member_sessions set token_hash = ''`],
    ['skip the second factor of a session', 'update member_sessions set is_full = true'],
    ['use a form again', 'delete from used_forms'],
    ['hide what was requested', 'delete from request_log'],
    ['rename an organisation', `update organisations set name = 'x'`],
    ['say that something was purged', `insert into purges (what) values ('evidence')`],
    ['change what is charged', 'update removed_usage set verifications = 0'],
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

describe('somebody who has stolen the role housekeeping, tried on every column of every table,', async () => {
  const harness = await startHarness({ worker: false });
  const { organisationId: org } = await harness.key();
  const thief = new pg.Client(harness.roleUrls.housekeeping);
  await thief.connect();
  atTheEnd(() => thief.end());
  const tables = await harness.rows<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`;
  const columns = await harness.rows<{ table: string; name: string; type: string }>`
    select relname as table, attname as name, format_type(atttypid, null) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped order by 1, 2`;

  /** False if the rights of the role forbid it. Every other fault means that they do not. */
  const may = (statement: string): Promise<boolean> =>
    thief.query(statement).then(
      () => true,
      ({ code }) => code !== refused.code,
    );
  const namesOf = async (statement: (table: string) => string) => {
    const names: string[] = [];
    for (const { name } of tables) if (await may(statement(name))) names.push(name);
    return names;
  };
  async function columnsOf(statement: (table: string, column: string) => string, among = columns) {
    const found: Record<string, string[]> = {};
    for (const { table, name } of among)
      if (await may(statement(table, name))) found[table] = [...(found[table] ?? []), name];
    return found;
  }

  const emptied = {
    commands: ['created_at'],
    delivery_attempts: ['answer', 'heads'],
    events: ['body'],
    evidence: ['advised'],
    requests: ['answer', 'answer_status', 'fingerprint', 'idempotency_key', 'input', 'status'],
    verifications: ['pictures_taken'],
    webhook_endpoints: ['previous_secret', 'previous_secret_until'],
  };

  test('can name few columns in an update, and no verdict, decision, address, right or line among them', async () => {
    expect(await columnsOf((table, column) => `update ${table} set ${column} = default where false`)).toEqual(
      {
        ...emptied,
        purges: ['done_at'],
        removed_usage: ['verifications'],
        request_log: ['duration_ms'],
      },
    );
  });

  test('fills none of those, and empties them where that is its work', async () => {
    const [verification, endpoint, delivery, request] = [1, 2, 3, 4].map(() => randomUUID());
    const event = `evt_${randomUUID()}`;
    await queryAt(
      harness.databaseUrl,
      `insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
       values ('${verification}', '${org}', 'live', 'completed', 'idin', 'of the thief', 'k', now())`,
      `insert into evidence (verification_id, kind, org_id, environment) values ('${verification}', 'selfie', '${org}', 'live')`,
      `insert into commands (verification_id, request_id, name, data) values ('${verification}', 'r', 'submit', '{}')`,
      `insert into requests (id, org_id, environment, operation, fingerprint, idempotency_key, input)
       values ('${request}', '${org}', 'live', 'create_verification', '', 'k', '{}')`,
      `insert into events (id, org_id, environment, type, body) values ('${event}', '${org}', 'live', 'x', '{}')`,
      `insert into webhook_endpoints (id, org_id, url, event_types, environment, secret, previous_secret, previous_secret_until)
       values ('${endpoint}', '${org}', 'x', '{}', 'live', '', '', now())`,
      `insert into deliveries (id, org_id, environment, event_id, endpoint_id, attempts_allowed)
       values ('${delivery}', '${org}', 'live', '${event}', '${endpoint}', 1)`,
      `insert into delivery_attempts (delivery_id, number, answer, heads) values ('${delivery}', 1, '', '')`,
    );
    const anything: Record<string, string> = {
      ...{ bytea: `'forged'`, text: `'forged'`, jsonb: `'{}'`, smallint: '1' },
      'timestamp with time zone': 'now()',
    };
    const granted = columns.filter(({ table, name }) =>
      (emptied as Record<string, string[]>)[table]?.includes(name),
    );
    const filled = granted.map(({ table, name, type }) => `update ${table} set ${name} = ${anything[type]}`);
    for (const statement of filled)
      await expect(thief.query(statement), statement).rejects.toMatchObject(refused);
    for (const { table } of granted)
      expect((await thief.query(`select from ${table} for update`)).rowCount, table).toBe(1);
    for (const statement of [
      'update events set body = null',
      'update webhook_endpoints set previous_secret = null, previous_secret_until = null',
      'update delivery_attempts set answer = null, heads = null',
      `update requests set idempotency_key = null, fingerprint = '', input = null, answer = null, answer_status = null,
         status = 'abandoned'`,
    ])
      expect((await thief.query(statement)).rowCount, statement).toBe(1);
  });

  test('adds to three tables, deletes from those that it purges, and truncates none', async () => {
    expect(await namesOf((table) => `insert into ${table} default values`)).toEqual([
      ...['ledger', 'purges', 'removed_usage'],
    ]);
    expect(await namesOf((table) => `delete from ${table} where false`)).toEqual([
      ...['commands', 'data_keys', 'evidence', 'ledger', 'ledger_personal', 'request_log', 'requests'],
      'verifications',
    ]);
    expect(await namesOf((table) => `truncate ${table} cascade`)).toEqual([]);
  });

  test('reads no reference, verdict, url, address or key of anybody', async () => {
    const sealed = columns.filter(({ type }) => type === 'bytea');
    const read = (table: string, column: string) => `select ${column} from ${table} where false`;
    expect(await columnsOf(read, sealed)).toEqual({
      delivery_attempts: ['answer', 'heads'],
      events: ['body'],
      evidence: ['picture'],
      ledger: ['hash', 'previous_hash'],
      requests: ['answer'],
      webhook_endpoints: ['previous_secret'],
    });
    const named = ['reference', 'verdict', 'url', 'email', 'data', 'input', 'name', 'path'];
    expect(
      await columnsOf(
        read,
        columns.filter(({ name }) => named.includes(name)),
      ),
    ).toEqual({
      ledger: ['data'],
    });
  });
});
