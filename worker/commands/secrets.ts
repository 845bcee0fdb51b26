import { readConfig } from '#platform/config.ts';
import { createSecrets } from '#platform/crypto.ts';
import { exitWith } from '#platform/process.ts';
import { type KeyUse, keysInUse, newestIsEnough, reseal } from '#services/secrets/seals.ts';
import { openStore } from '#store/connection.ts';
import { print, readArguments } from './command-line.ts';
import { secretsKeysOf, serversOf } from './servers.ts';

const usage = 'Usage: npm run --silent secrets -- [--reseal]';

/** The queries read whole tables, which can take longer than the default time-out. */
const statementTimeoutMs = 60_000;

/**
 * Prints how many values each key protects, by the id of the key. With `--reseal`, first seals all values again with the newest
 * key. The exit code is 0 if only the newest key is still needed, and 1 otherwise.
 */
async function main(): Promise<number> {
  const options = readArguments({ options: { reseal: { type: 'boolean', default: false } } }, usage).values;
  const config = readConfig(process.env);
  const { databaseUrl } = serversOf(config);
  const secrets = createSecrets(secretsKeysOf(config));
  const store = await openStore(databaseUrl, 4, statementTimeoutMs);
  try {
    if (options.reseal) {
      const done = await reseal({ store, secrets });
      print(`sealed again: ${done.sealed}; expired links, issued again: ${done.links}`);
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

await main().then((code) => process.exit(code), exitWith);
