import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { randomToken } from '#platform/crypto/random.ts';
import type { Log } from '#platform/log.ts';
import { openStore, type Store } from './connection.ts';

/**
 * The roles of a deployment besides the owner, whose role migrates. API, worker and commands connect as `app`. The worker purges as
 * `housekeeping`. A role may also be a group, whose members connect.
 */
export const roles = { app: 'verification_app', housekeeping: 'verification_housekeeping' } as const;
type Role = keyof typeof roles;
const owner = 'verification_owner';

type TableRight = 'select' | 'insert' | 'update' | 'delete' | `select (${string})` | `update (${string})`;
const none: readonly TableRight[] = [];
const read: readonly TableRight[] = ['select'];
const append: readonly TableRight[] = ['select', 'insert'];

/** What a row is, for example its organisation and its environment, is in the other columns, and never changes. */
const changeOnly = (...columns: string[]): readonly TableRight[] => [
  ...append,
  `update (${columns.join(', ')})`,
];
const replaceOnly = (...columns: string[]): readonly TableRight[] => [...changeOnly(...columns), 'delete'];

/**
 * What housekeeping may do with the rows of a product's table: read the columns that say whether a row is over, and empty others. To lock
 * a row, Postgres asks for the right to update one of its columns, so each table names one. Triggers let housekeeping only empty a
 * column, never fill it (migration 0002), so nothing of what a row says can be changed with this right.
 */
const sees = (...columns: string[]): TableRight => `select (${columns.join(', ')})`;
const emptiesOrLocks = (...columns: string[]): TableRight => `update (${columns.join(', ')})`;

const settings = [
  ...['erase_by_key', 'decisions', 'purpose', 'contact', 'privacy_url', 'offers_other_way', 'evidence_days'],
  ...[
    'cover_portrait',
    'review_eyes',
    'removals_warned_until',
    'colour',
    'return_url',
    'paused',
    'display_name',
    'languages',
  ],
];
const progress = [
  ...[
    'status',
    'reference',
    'link_version',
    'link_key_id',
    'link_expires_at',
    'submitted_at',
    'pictures_taken',
  ],
  ...[
    'maskings_begun',
    'verdict',
    'completed_at',
    'completed_by',
    'cancelled_at',
    'withdrawn_at',
    'erased_at',
  ],
  ...['reopened_at', 'relation_ended_at', 'relation_continues', 'run_due_since'],
];
const endpoint = [
  ...['active', 'secret', 'previous_secret', 'previous_secret_until', 'consecutive_failures'],
  ...['failing_since', 'last_success_at', 'paused_at', 'paused_by'],
];
const outcome = ['outcome', 'reason', 'phase', 'response_status', 'answer', 'heads', 'duration_ms'];
const membership = [
  ...[
    'role',
    'password_hash',
    'totp_secret',
    'totp_step',
    'language',
    'time_zone',
    'has_shortcuts',
    'joined_at',
    'disabled_at',
    'let_in_by',
    // A trigger lets it only be emptied.
    'email',
  ],
];

/**
 * The rights on every table. Nobody but the owner can change a line of the ledger. A version that no longer changes a column leaves the
 * right to it for one release, because the version before runs beside it.
 */
export const tableRights: Readonly<Record<string, Readonly<Record<Role, readonly TableRight[]>>>> = {
  organisations: { app: changeOnly(...settings), housekeeping: none },
  organisation_logos: { app: replaceOnly('picture', 'sha256', 'changed_at'), housekeeping: none },
  eid_contracts: {
    app: replaceOnly('value', 'certificate_ends_at', 'simulated', 'issuers', 'issuers_at', 'changed_at'),
    housekeeping: none,
  },
  api_keys: {
    app: changeOnly('expires_at', 'revoked_at', 'replaced_by', 'last_used_at'),
    housekeeping: none,
  },
  requests: {
    app: changeOnly('idempotency_key', 'fingerprint', 'input', 'status', 'answer_status', 'answer'),
    housekeeping: [
      sees('id', 'created_at', 'idempotency_key', 'answer', 'status'),
      emptiesOrLocks('idempotency_key', 'fingerprint', 'input', 'status', 'answer_status', 'answer'),
      'delete',
    ],
  },
  verifications: {
    app: changeOnly(...progress),
    housekeeping: [
      sees(
        ...['id', 'org_id', 'environment', 'status', 'link_expires_at', 'completed_at'],
        ...['relation_ended_at', 'relation_continues'],
      ),
      emptiesOrLocks('pictures_taken'),
      'delete',
    ],
  },
  webhook_endpoints: {
    app: changeOnly(...endpoint),
    housekeeping: [
      sees('id', 'previous_secret', 'previous_secret_until'),
      emptiesOrLocks('previous_secret', 'previous_secret_until'),
    ],
  },
  deactivations: { app: [...append, 'delete'], housekeeping: none },
  events: {
    app: changeOnly('body'),
    housekeeping: [sees('id', 'created_at', 'body'), emptiesOrLocks('body')],
  },
  evidence: {
    app: replaceOnly(
      'picture',
      'sha256',
      'source',
      'taken_at',
      'expires_at',
      'look',
      'advised',
      'examined_ahead',
    ),
    housekeeping: [
      sees('verification_id', 'kind', 'org_id', 'environment', 'picture', 'expires_at'),
      emptiesOrLocks('advised'),
      'delete',
    ],
  },
  commands: {
    app: replaceOnly('personal'),
    housekeeping: [
      sees('verification_id', 'request_id', 'created_at'),
      emptiesOrLocks('created_at'),
      'delete',
    ],
  },
  eid_transactions: {
    app: replaceOnly(
      ...[
        'status',
        'code_hash',
        'transaction_id',
        'redirect',
        'asks',
        'next_ask_at',
        'ends_at',
        'returned_at',
      ],
    ),
    housekeeping: none,
  },
  examinations: { app: append, housekeeping: none },
  income_checks: { app: changeOnly('judgement'), housekeeping: none },
  income_files: { app: replaceOnly('file', 'pages'), housekeeping: none },
  income_hashes: { app: [...append, 'delete'], housekeeping: none },
  review_claims: { app: replaceOnly('member_id', 'claimed_at', 'expires_at'), housekeeping: none },
  review_decisions: { app: [...changeOnly('recorded_at', 'note'), 'delete'], housekeeping: none },
  deliveries: {
    app: changeOnly('status', 'attempts_allowed', 'waited_ms', 'next_attempt_at', 'held_at', 'queued_at'),
    housekeeping: [sees('event_id', 'trigger', 'status')],
  },
  delivery_orders: {
    app: changeOnly('place_at', 'place_id', 'looked_at', 'sent', 'more_left', 'ended_at'),
    housekeeping: none,
  },
  delivery_attempts: {
    app: replaceOnly(...outcome),
    housekeeping: [
      sees('delivery_id', 'number', 'started_at', 'answer', 'heads'),
      emptiesOrLocks('answer', 'heads'),
    ],
  },
  ledger: { app: append, housekeeping: ['select', 'insert', 'delete'] },
  data_keys: { app: replaceOnly('value'), housekeeping: ['select (verification_id)', 'delete'] },
  ledger_personal: { app: replaceOnly('value'), housekeeping: ['select (subject_id)', 'delete'] },
  request_log: {
    app: append,
    housekeeping: [sees('id', 'created_at'), emptiesOrLocks('duration_ms'), 'delete'],
  },
  leases: { app: replaceOnly('holder', 'expires_at'), housekeeping: none },
  purges: { app: read, housekeeping: changeOnly('done_at') },
  removed_usage: { app: read, housekeeping: changeOnly('verifications') },
  members: { app: changeOnly(...membership), housekeeping: none },
  member_sessions: { app: replaceOnly('last_seen_at'), housekeeping: none },
  member_links: {
    app: replaceOnly('kind', 'token_hash', 'made_by', 'created_at', 'expires_at'),
    housekeeping: none,
  },
  member_recovery_codes: { app: [...append, 'delete'], housekeeping: none },
  member_passkeys: {
    app: replaceOnly('counter', 'last_used_at', 'challenge_at', 'blocked_at'),
    housekeeping: none,
  },
  used_forms: { app: append, housekeeping: none },
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
  const tables = Object.entries(tableRights).filter(([, rightsOf]) => rightsOf[role].length > 0);
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

const scripts = join(import.meta.dirname, '../../../docs/operations');
/** The hand-over of an installation with many days of its request log takes longer than a usual statement. */
const handOverMsMax = 60_000;

/**
 * Creates the roles if they are missing, sets their passwords, and makes the owner the owner of all that an earlier version made as a
 * superuser. Returns the URLs of the database for these roles. `url` must be that of a superuser.
 */
export async function makeRoles(url: string): Promise<Record<Role | 'owner', string>> {
  const store = await openStore(url, 1, { statementTimeoutMs: handOverMsMax });
  try {
    return await store.transaction(async (tx) => {
      const set = (name: string, value: string) =>
        sql`select set_config(${`roles.${name}`}, ${value}, true)`.execute(tx);
      const urlOf = async (username: string) => {
        const password = randomToken(24, 'hex');
        await set(username, password);
        return Object.assign(new URL(url), { username, password }).toString();
      };
      const urls = {
        owner: await urlOf(owner),
        app: await urlOf(roles.app),
        housekeeping: await urlOf(roles.housekeeping),
      };
      await set('new_owner', owner);
      for (const script of ['make-roles.sql', 'hand-over.sql'])
        await sql.raw(readFileSync(join(scripts, script), 'utf8')).execute(tx);
      return urls;
    });
  } finally {
    await store.close();
  }
}
