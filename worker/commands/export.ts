import { createSecrets } from '#platform/crypto/crypto.ts';
import { exitWith } from '#platform/process.ts';
import { exportPerson } from '#services/privacy/export.ts';
import { operatorAtVerification } from '#services/verifications/by-operator.ts';
import { print } from './parts/command-line.ts';
import { withVerification } from './parts/one-verification.ts';
import { secretsKeysOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent export -- VERIFICATION_ID > FILE';

/** Prints everything that is held of the person of one verification, as JSON. */
await withVerification(usage, async (store, id, config) => {
  const secrets = createSecrets(secretsKeysOf(config));
  const operator = await operatorAtVerification({ store }, { id });
  print(JSON.stringify(await exportPerson({ store, secrets }, operator, { id }), null, 2));
}).catch(exitWith);
