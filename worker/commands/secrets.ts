import { readConfig } from '#platform/config/config.ts';
import { exitWith } from '#platform/process.ts';
import { type Place, readPlace } from '#services/portions/walk.ts';
import { type KeyUse, keysInUse, newestIsEnough } from '#services/secrets/keys-in-use.ts';
import { sealParts } from '#services/secrets/parts.ts';
import { reseal } from '#services/secrets/reseal.ts';
import { openStore } from '#store/database/connection.ts';
import { misused, print, readArguments } from './parts/command-line.ts';
import { withProgress } from './parts/progress.ts';
import { serversOf, temporalOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent secrets -- [--reseal [--from PLACE]]';

/** A page of a large table takes longer than a query of the product. */
const statementTimeoutMs = 300_000;

/**
 * Prints how many values and open workflows each key protects, by the id of the key. With `--reseal`, first seals all values again
 * with the newest key. The exit code is 0 if only the newest key is still needed, and 1 otherwise.
 */
async function main(): Promise<number> {
  const options = readOptions();
  const config = readConfig(process.env);
  const server = await temporalOf(config, 'open workflows need the key that they began with.');
  const { temporal, secrets } = server;
  const store = await openStore(serversOf(config).databaseUrl, 4, { statementTimeoutMs });
  try {
    if (options.reseal) {
      const command = 'npm run --silent secrets -- --reseal';
      const { from } = options;
      const done = await withProgress({ command, from }, (course) => reseal({ store, secrets }, course));
      print(`sealed again: ${done.sealed}; expired links, issued again: ${done.links}`);
      if (done.unreadable > 0) print(`could not be opened: ${done.unreadable} (rows were edited by hand)`);
    }
    const uses = await withProgress({}, ({ watch }) => keysInUse({ store, secrets, temporal }, watch));
    for (const use of uses) print(lineOf(use));
    const enough = newestIsEnough(uses);
    print(enough ? 'The newest key is enough.' : 'The newest key is not enough yet.');
    return enough ? 0 : 1;
  } finally {
    await Promise.allSettled([store.close(), server.close()]);
  }
}

function readOptions(): { reseal: boolean; from: Place | undefined } {
  const options = { reseal: { type: 'boolean', default: false }, from: { type: 'string' } } as const;
  const { reseal, from } = readArguments({ options }, usage).values;
  const place = from === undefined ? undefined : readPlace(from, sealParts);
  if (from !== undefined && (place === undefined || !reseal))
    throw misused(usage, '--from is not a place that --reseal has printed.');
  return { reseal, from: place };
}

const standings = { newest: 'newest', older: 'older', missing: 'NOT in SECRETS_KEY' };

function lineOf({ keyId, standing, sealed, runs, links }: KeyUse): string {
  const counts = [
    `webhook secrets ${sealed['webhook-secret']}`,
    `stored answers ${sealed['stored-answer']}`,
    `data keys ${sealed['data-key']}`,
    `personal ledger values ${sealed['ledger-personal']}`,
    `pictures ${sealed.evidence}`,
    `fingerprints of requests ${sealed['request-fingerprint']}`,
    `receivers' answers ${sealed['receiver-answer']}`,
    `headers of attempts ${sealed['attempt-heads']}`,
    `waiting consents ${sealed['command-personal']}`,
    `second factors ${sealed['totp-secret']}`,
    `bank contracts ${sealed['eid-contract']}`,
    `open workflows ${runs}`,
    links === undefined ? 'links 0' : `links ${links.count}, the last until ${links.workUntil.toISOString()}`,
  ];
  return `key ${keyId} (${standings[standing]}): ${counts.join(', ')}`;
}

await main().then((code) => process.exit(code), exitWith);
