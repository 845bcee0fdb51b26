import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Log } from '#platform/log.ts';
import { openStore, type Store } from './connection.ts';

/**
 * The roles of a deployment besides the owner, whose role migrates. API, worker and commands connect as `app`. The worker purges as
 * `housekeeping`. A role may also be a group, whose members connect.
 */
export const roles = { app: 'verification_app', housekeeping: 'verification_housekeeping' } as const;
type Role = keyof typeof roles;

type Right = 'select' | 'insert' | 'update' | 'delete' | `select (${string})` | `update (${string})`;
const none: readonly Right[] = [];
const read: readonly Right[] = ['select'];
const append: readonly Right[] = ['select', 'insert'];
const change: readonly Right[] = ['select', 'insert', 'update'];
const all: readonly Right[] = ['select', 'insert', 'update', 'delete'];
/** To lock a row, a role needs the right to update its table. */
const lock: readonly Right[] = ['select', 'update'];
const purge: readonly Right[] = ['select', 'update', 'delete'];

/** Housekeeping must not be able to change the address of an endpoint. */
const oldSecrets: readonly Right[] = [
  'select (id, previous_secret, previous_secret_until)',
  'update (previous_secret, previous_secret_until)',
];

/** The rights on every table. Nobody but the owner can change a line of the ledger. */
export const rights: Readonly<Record<string, Readonly<Record<Role, readonly Right[]>>>> = {
  organisations: { app: change, housekeeping: none },
  api_keys: { app: change, housekeeping: none },
  requests: { app: change, housekeeping: purge },
  verifications: { app: change, housekeeping: purge },
  webhook_endpoints: { app: change, housekeeping: oldSecrets },
  deactivations: { app: all, housekeeping: none },
  events: { app: change, housekeeping: lock },
  evidence: { app: all, housekeeping: purge },
  commands: { app: all, housekeeping: purge },
  examinations: { app: change, housekeeping: none },
  review_claims: { app: all, housekeeping: none },
  review_decisions: { app: change, housekeeping: none },
  deliveries: { app: change, housekeeping: read },
  delivery_attempts: { app: all, housekeeping: lock },
  ledger: { app: append, housekeeping: ['select', 'insert', 'delete'] },
  data_keys: { app: all, housekeeping: ['select (verification_id)', 'delete'] },
  ledger_personal: { app: all, housekeeping: ['select (subject_id)', 'delete'] },
  request_log: { app: append, housekeeping: purge },
  leases: { app: all, housekeeping: none },
  purges: { app: read, housekeeping: change },
  members: { app: change, housekeeping: none },
  member_sessions: { app: all, housekeeping: none },
  member_links: { app: all, housekeeping: none },
  member_recovery_codes: { app: all, housekeeping: none },
  used_forms: { app: all, housekeeping: none },
  migrations: { app: read, housekeeping: none },
};

type Execute = (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Gives the roles that exist on the server exactly their rights. The caller's role must own the tables. */
export async function grantRights(execute: Execute): Promise<void> {
  const existing = await execute('select rolname as name from pg_roles where rolname in (?, ?)', [
    roles.app,
    roles.housekeeping,
  ]);
  if (existing.length === 0) return;
  const [{ schema } = { schema: '' }] = await execute('select quote_ident(current_schema()) as schema');
  for (const role of ['app', 'housekeeping'] as const) {
    const name = roles[role];
    if (!existing.some((found) => found.name === name)) continue;
    for (const statement of grantsOf(role, `${schema}`)) await execute(statement);
  }
}

const daysFunctions = 'function make_request_log_days(), drop_request_log_days(timestamptz)';

function grantsOf(role: Role, schema: string): string[] {
  const name = roles[role];
  const tables = Object.entries(rights).filter(([, rightsOf]) => rightsOf[role].length > 0);
  return [
    `revoke all on all tables in schema ${schema} from ${name}`,
    `grant usage on schema ${schema} to ${name}`,
    ...tables.map(([table, rightsOf]) => `grant ${rightsOf[role].join(', ')} on ${table} to ${name}`),
    role === 'app'
      ? `grant usage on all sequences in schema ${schema} to ${name}`
      : `grant execute on ${daysFunctions} to ${name}`,
  ];
}

/** Warns if the role of this connection can change the ledger. Without an answer of the database there is no warning. */
export function warnOfRights(store: Pick<Store, 'db'>, log: Pick<Log, 'warn'>): void {
  mayChangeLedger(store).then(
    (may) =>
      may &&
      log.warn(
        'The role of DATABASE_URL can change the ledger: give the product a role without that right (docs/operations.md, Roles)',
      ),
    () => undefined,
  );
}

async function mayChangeLedger({ db }: Pick<Store, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('ledger', 'update, delete, truncate') as may`.execute(db);
  return rows[0]?.may === true;
}

/**
 * Creates the roles if they are missing, and sets their passwords. Returns the URLs of the database for these roles. `url` must be that
 * of a superuser.
 */
export async function makeRoles(url: string): Promise<Record<Role, string>> {
  const store = await openStore(url, 1);
  try {
    const urlOf = async (role: Role) => {
      const [username, password] = [roles[role], randomBytes(24).toString('hex')];
      await sql`
        do $$ begin create role ${sql.raw(username)}; exception when duplicate_object then null; end $$`.execute(
        store.db,
      );
      await sql`alter role ${sql.raw(username)} login password ${sql.lit(password)}`.execute(store.db);
      return Object.assign(new URL(url), { username, password }).toString();
    };
    return { app: await urlOf('app'), housekeeping: await urlOf('housekeeping') };
  } finally {
    await store.close();
  }
}
