import { exitWith } from '#platform/process.ts';
import { renewLinkByOperator } from '#services/privacy/by-operator.ts';
import { wakeRun } from '#services/verifications/wake-run.ts';
import { note, print } from './command-line.ts';
import { withVerification } from './one-verification.ts';
import { publicUrlOf, temporalOf } from './servers.ts';

const usage = 'Usage: npm run --silent link -- VERIFICATION_ID';

/** Gives an open verification a fresh link and prints it. The link before opens nothing any more. */
await withVerification(usage, async (store, id, config) => {
  const server = await temporalOf(config, 'the workflow of the verification must wait for the new link.');
  try {
    print(await renewLinkByOperator({ ...server, store, publicUrl: publicUrlOf(config) }, id));
    note(`Verification ${id} has a fresh link: the link before opens nothing any more.`);
    await wakeRun(server, id);
  } finally {
    await server.close();
  }
}).catch(exitWith);
