import { parseArgs } from 'node:util';
import { readConfig } from '#platform/config.ts';
import { createSecrets } from '#platform/crypto.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { type KeyUse, keysInUse, newestIsEnough, reseal } from '#services/secrets/seals.ts';
import { openStore } from '#store/orm.ts';
import { secretsKeysOf, serversOf } from './servers.ts';

const usage = 'Usage: npm run --silent secrets -- [--reseal]';
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Whole tables are gone over. */
const statementTimeoutMs = 60_000;

/**
 * Says what each key of SECRETS_KEY protects, by the key's id and never the key, and with `--reseal` seals with the newest what
 * older ones sealed: exit code 0 when the newest is enough for everything, 1 when another is still needed.
 */
async function main(): Promise<number> {
  const options = readArguments();
  const config = readConfig(process.env);
  const { databaseUrl } = serversOf(config);
  const secrets = createSecrets(secretsKeysOf(config));
  const store = await openStore(databaseUrl, 4, statementTimeoutMs);
  try {
    if (options.reseal) {
      const done = await reseal({ store, secrets });
      print(`sealed anew: ${done.sealed}; links that no longer work, made anew: ${done.links}`);
      if (done.unreadable > 0) print(`could not be opened: ${done.unreadable} (rows were edited by hand)`);
    }
    const uses = await keysInUse({ store, secrets });
    for (const use of uses) print(lineOf(use));
    const enough = newestIsEnough(uses);
    print(enough ? 'The newest key is enough.' : 'The newest key is not enough yet.');
    return enough ? 0 : 1;
  } finally {
    await store.close();
  }
}

const standings = { newest: 'newest', older: 'older', missing: 'NOT in SECRETS_KEY' };

function lineOf({ keyId, standing, sealed, links }: KeyUse): string {
  const counts = [
    `webhook secrets ${sealed['webhook-secret']}`,
    `stored answers ${sealed['stored-answer']}`,
    `personal ledger values ${sealed['ledger-personal']}`,
    `pictures ${sealed.evidence}`,
    links === undefined ? 'links 0' : `links ${links.count}, the last until ${links.workUntil.toISOString()}`,
  ];
  return `key ${keyId} (${standings[standing]}): ${counts.join(', ')}`;
}

function readArguments(): { reseal: boolean } {
  try {
    return parseArgs({ options: { reseal: { type: 'boolean', default: false } } }).values;
  } catch {
    throw new StartFault(usage, exitCodes.usage);
  }
}

await main().then((code) => process.exit(code), exitWith);
