import { parseArgs } from 'node:util';
import { z } from 'zod';
import { environments, grants } from '#contract/enums.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { createKey } from '#services/keys/create.ts';
import { listKeys, revokeKey } from '#store/keys.ts';
import { openStore, type Store } from '#store/orm.ts';
import { serversOf } from './servers.ts';

const usage = `Usage:
  npm run --silent keys -- create --org NAME --environment sandbox|live [--scopes ${grants.join(',')}]
                                  [--rate-limit N] [--expires-at ISO] [--name TEXT] [--json]
  npm run --silent keys -- list [--org NAME] [--json]
  npm run --silent keys -- revoke KEY_ID`;

const say = (line: string) => void process.stderr.write(`${line}\n`);
const print = (text: string) => void process.stdout.write(`${text}\n`);
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
  'expires-at': z.iso
    .datetime({ offset: true })
    .transform((at) => new Date(at))
    .optional(),
});

const commands: Record<string, (store: Store, args: Arguments) => Promise<void>> = {
  async create(store, { values }) {
    const parsed = CreateOptions.safeParse(values);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw misused(
        `--${String(issue?.path[0])} ${issue?.input === undefined && issue?.code === 'invalid_type' ? 'is required' : 'is not valid'}.`,
      );
    }
    const wanted = parsed.data;
    const made = await createKey(store, {
      organisation: wanted.org,
      environment: wanted.environment,
      grants: [...new Set(wanted.scopes)],
      name: wanted.name,
      rateLimit: wanted['rate-limit'],
      expiresAt: wanted['expires-at'],
    });
    say(
      `Made key ${made.id} for ${wanted.org} (${wanted.environment}; ${made.grants.join(', ')}). It is shown this once:`,
    );
    print(
      values.json
        ? json({
            id: made.id,
            key: made.key,
            organisation_id: made.organisationId,
            environment: made.environment,
            scopes: made.grants,
            rate_limit: made.rateLimit ?? null,
            expires_at: made.expiresAt?.toISOString() ?? null,
          })
        : made.key,
    );
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
    }));
    if (values.json) return print(json(rows));
    if (rows.length === 0) return say('There are no keys.');
    for (const row of rows)
      print(
        [row.id, row.key, row.environment, row.organisation, row.scopes.join(','), stateOf(row)].join('  '),
      );
  },

  async revoke(store, { positionals }) {
    const id = positionals[1];
    if (id === undefined || !z.uuid().safeParse(id).success) throw misused('Name the key by its id.');
    if (!(await revokeKey(store, id, systemClock.now())))
      throw new StartFault('There is no such key, or it was revoked before.', exitCodes.unavailable);
    say(`Revoked key ${id}: it stops working within 5 seconds.`);
  },
};

function stateOf(key: { revoked_at: Date | null; expires_at: Date | null }): string {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at.toISOString()}`;
  if (key.expires_at === null) return 'valid';
  return `${key.expires_at <= systemClock.now() ? 'expired' : 'expires'} ${key.expires_at.toISOString()}`;
}

type Arguments = ReturnType<typeof readArguments>;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        org: { type: 'string' },
        environment: { type: 'string' },
        scopes: { type: 'string' },
        name: { type: 'string' },
        'rate-limit': { type: 'string' },
        'expires-at': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch {
    throw misused('An option is unknown or lacks its value.');
  }
}

const misused = (line: string) => new StartFault(`${line}\n${usage}`, exitCodes.usage);

async function main(): Promise<void> {
  const args = readArguments();
  const command = commands[args.positionals[0] ?? ''];
  if (command === undefined) throw misused('Say what to do: create, list or revoke.');
  const store = await openStore(serversOf(readConfig(process.env)).databaseUrl, 1);
  try {
    await command(store, args);
  } finally {
    await store.close();
  }
}

await main().catch(exitWith);
