import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { generate } from './load.ts';
import { type Part, partnerOf, startProcesses } from './product.ts';
import { say } from './programs.ts';
import type { Receiver, Setting } from './setting.ts';

const run = promisify(execFile);

/**
 * A checkout of this repository, prepared for a bench, with its own database and namespace on the given servers. The bench uses only
 * the commands and the API of the checkout, so the checkout may be of any version that has them. Its packages must be installed.
 */
export type Checkout = Awaited<ReturnType<typeof prepareCheckout>>;

type Options = { root: string; name: string; namespace: string; setting: Setting };

export async function prepareCheckout({ root: given, name, namespace, setting }: Options) {
  const root = resolve(given);
  const { folder, postgres, temporal, caFile } = setting;
  const env = {
    DATABASE_URL: await newDatabase(postgres.url, name),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: namespace,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    NODE_EXTRA_CA_CERTS: caFile,
  };
  const command = async (file: string, ...args: string[]) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    const { stdout } = await run(process.execPath, [join(root, 'worker/commands', file), ...args], options);
    return stdout.trim();
  };
  await command('migrate.ts');
  await command('bundle.ts');
  const newKey = (rateLimit: number) =>
    command(
      'keys.ts',
      'create',
      '--org',
      'Bench',
      '--environment',
      'sandbox',
      '--rate-limit',
      String(rateLimit),
    );
  return {
    name,
    /** A key with the highest rate limit that the command allows. */
    key: await newKey(1_000_000),
    /** A key with a limit of one request a minute. */
    limitedKey: await newKey(1),
    start: (parts: readonly Part[]) => startProcesses({ root, folder, parts, env }),
  };
}

async function newDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** Creates verifications to read, each with a delivery to this receiver. Returns the id of one of them. */
export async function fill(checkout: Checkout, { url }: Receiver, count: number): Promise<string> {
  say(`Filling ${count} verifications of ${checkout.name}`);
  const running = await checkout.start(['api', 'worker']);
  const { create } = await partnerOf(running.url, checkout.key, [url('/hooks')]);
  const created = await generate({ inFlight: 10, count }, create);
  await running.stop();
  const id = created[Math.floor(count / 2)]?.id;
  if (id === undefined) throw new Error(`${checkout.name} failed to create a verification`);
  return id;
}
