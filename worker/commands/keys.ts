import { z } from 'zod';
import { environments, grants } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { readConfig } from '#platform/config/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { callerOfOperator } from '#services/caller.ts';
import { operatorAtKey } from '#services/keys/by-operator.ts';
import { createKey } from '#services/keys/create.ts';
import type { IssuedKey } from '#services/keys/issue.ts';
import { revokeKey } from '#services/keys/revoke.ts';
import { type RotationRefusal, rotateKey } from '#services/keys/rotate.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { listKeys } from '#store/organisations/keys.ts';
import { ensureOrganisation, findOrganisation } from '#store/organisations/organisations.ts';
import { misused, note, print, readArguments } from './parts/command-line.ts';
import { serversOf } from './parts/servers.ts';

const usage = `Usage:
  npm run --silent keys -- create --org NAME --environment sandbox|live [--scopes ${grants.join(',')}]
                                  [--rate-limit N] [--expires-at ISO|never] [--name TEXT] [--json]
  npm run --silent keys -- list [--org NAME] [--json]
  npm run --silent keys -- rotate KEY_ID [--overlap 24h] [--json]
  npm run --silent keys -- revoke KEY_ID`;

const json = (value: unknown) => JSON.stringify(value, null, 2);

const text = z.string().trim().min(1).max(200);
const CreateOptions = z.object({
  org: text,
  environment: z.enum(environments),
  scopes: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(grants)).nonempty())
    .default([...grants]),
  name: text.optional(),
  'rate-limit': z.coerce.number().int().min(1).max(1_000_000).optional(),
  'expires-at': z
    .union([
      z.literal('never').transform(() => null),
      z.iso.datetime({ offset: true }).transform((at) => new Date(at)),
    ])
    .optional(),
});

const unitMs: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs };
const overlapMsMax = 30 * dayMs;

const Overlap = z
  .string()
  .regex(/^\d{1,5}[mhd]$/)
  .transform((given) => Number(given.slice(0, -1)) * (unitMs[given.slice(-1)] ?? Number.NaN))
  .pipe(z.number().max(overlapMsMax))
  .default(dayMs);

const refusals: Record<RotationRefusal, string> = {
  unknown: 'There is no such key.',
  revoked: 'The key was revoked: create a new one.',
  replaced: 'The key was rotated before: rotate its successor.',
  expired: 'The key has expired: create a new one.',
};

const tooMany = `The organisation has ${limits.workingKeysMax} keys that work. Revoke one first.`;

const commands: Record<string, (store: Store, args: Arguments) => Promise<void>> = {
  async create(store, { values }) {
    const parsed = CreateOptions.safeParse(values);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw misused(
        usage,
        `--${String(issue?.path[0])} ${issue?.input === undefined && issue?.code === 'invalid_type' ? 'is required' : 'is not valid'}.`,
      );
    }
    const wanted = parsed.data;
    const { environment } = wanted;
    const isNew = (await findOrganisation(store, wanted.org)) === undefined;
    const orgId = await ensureOrganisation(store.db, wanted.org);
    const made = await createKey({ store }, callerOfOperator({ orgId, environment }), {
      grants: [...new Set(wanted.scopes)],
      name: wanted.name,
      rateLimit: wanted['rate-limit'],
      expiresAt: wanted['expires-at'],
    });
    if (made === undefined) throw new StartFault(tooMany, exitCodes.unavailable);
    if (isNew) note(`${wanted.org} is a new organisation. If the name is misspelt, revoke this key.`);
    note(
      `Made key ${made.id} for ${wanted.org} (${wanted.environment}; ${made.grants.join(', ')}). ${untilOf(made)} It is shown this once:`,
    );
    show(made, values.json);
  },

  async list(store, { values }) {
    const keys = await listKeys(store, values.org);
    const rows = keys.map((key) => ({
      id: key.id,
      key: key.display,
      organisation: key.organisation,
      organisation_id: key.orgId,
      environment: key.environment,
      scopes: key.grants,
      name: key.name,
      rate_limit: key.rateLimit,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      replaced_by: key.replacedBy,
      last_used_at: key.lastUsedAt,
      state: stateOf(key),
    }));
    if (values.json) return print(json(rows));
    if (rows.length === 0) return note('There are no keys.');
    for (const row of rows)
      print(
        [
          ...[row.id, row.key, row.environment, row.organisation, row.scopes.join(',')],
          ...[stateInWords(row), row.last_used_at === null ? 'never used' : `used ${iso(row.last_used_at)}`],
        ].join('  '),
      );
  },

  async rotate(store, { values, positionals }) {
    const id = keyIdOf(positionals);
    const overlap = Overlap.safeParse(values.overlap);
    if (!overlap.success) throw misused(usage, '--overlap is not valid: 30m, 24h or 7d, and at most 30d.');
    const operator = await operatorAtKey({ store }, { id });
    const rotation =
      operator === undefined
        ? ({ refused: 'unknown' } as const)
        : await rotateKey({ store }, operator, { id, overlapMs: overlap.data });
    if ('refused' in rotation) throw new StartFault(refusals[rotation.refused], exitCodes.unavailable);
    const { successor, worksUntil } = rotation;
    note(
      `Made key ${successor.id} in place of ${id}, which works until ${iso(worksUntil)}. ${untilOf(successor)} It is shown this once:`,
    );
    show(successor, values.json);
  },

  async revoke(store, { positionals }) {
    const id = keyIdOf(positionals);
    const operator = await operatorAtKey({ store }, { id });
    if (operator === undefined || !(await revokeKey({ store }, operator, { id })))
      throw new StartFault('There is no such key, or it was revoked before.', exitCodes.unavailable);
    note(`Revoked key ${id}: it stops working within 5 seconds.`);
  },
};

function keyIdOf(positionals: string[]): string {
  const id = positionals[1];
  if (id === undefined || !z.uuid().safeParse(id).success) throw misused(usage, 'Give the id of the key.');
  return id;
}

function show(made: IssuedKey, asJson: boolean): void {
  const shown = {
    id: made.id,
    key: made.key,
    organisation_id: made.organisationId,
    environment: made.environment,
    scopes: made.grants,
    rate_limit: made.rateLimit,
    expires_at: made.expiresAt,
  };
  print(asJson ? json(shown) : made.key);
}

const untilOf = ({ expiresAt }: IssuedKey): string =>
  expiresAt === null ? 'It works until it is revoked.' : `It works until ${iso(expiresAt)}.`;

const iso = (at: Date) => at.toISOString();

type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];
type State = 'valid' | 'replaced' | 'expired' | 'revoked';

/** A replaced key stays usable until its overlap ends. After that its state is `expired`. */
function stateOf(key: Pick<KeyRow, 'revokedAt' | 'expiresAt' | 'replacedBy' | 'now'>): State {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= key.now) return 'expired';
  return key.replacedBy === null ? 'valid' : 'replaced';
}

type Listed = { state: State; revoked_at: Date | null; expires_at: Date | null; replaced_by: string | null };

function stateInWords({ state, revoked_at, expires_at, replaced_by }: Listed): string {
  const words: string[] = [state];
  if (revoked_at !== null) words.push(iso(revoked_at));
  else if (state === 'expired' && expires_at !== null) words.push(iso(expires_at));
  else if (expires_at !== null) words.push(`until ${iso(expires_at)}`);
  if (replaced_by !== null) words.push(`by ${replaced_by}`);
  return words.join(' ');
}

type Arguments = ReturnType<typeof readKeyArguments>;

const readKeyArguments = () =>
  readArguments(
    {
      allowPositionals: true,
      options: {
        org: { type: 'string' },
        environment: { type: 'string' },
        scopes: { type: 'string' },
        name: { type: 'string' },
        'rate-limit': { type: 'string' },
        'expires-at': { type: 'string' },
        overlap: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    },
    usage,
    'An option is unknown or lacks its value.',
  );

async function main(): Promise<void> {
  const args = readKeyArguments();
  const command = commands[args.positionals[0] ?? ''];
  if (command === undefined) throw misused(usage, 'Give a command: create, list, rotate or revoke.');
  const store = await openStore(serversOf(readConfig(process.env)).databaseUrl, 1);
  try {
    await command(store, args);
  } finally {
    await store.close();
  }
}

await main().catch(exitWith);
