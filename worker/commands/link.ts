import { exitWith } from '#platform/process.ts';
import { wakeRun } from '#services/runs/wake-run.ts';
import { operatorAtVerification } from '#services/verifications/by-operator.ts';
import { requireCase } from '#services/verifications/get.ts';
import { replaceLink } from '#services/verifications/renew-link.ts';
import { verifyUrl } from '#services/views/link.ts';
import { note, print } from './parts/command-line.ts';
import { withVerification } from './parts/one-verification.ts';
import { publicUrlOf, temporalOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent link -- VERIFICATION_ID';

/** Gives an open verification a fresh link and prints it. The link before opens nothing any more. */
await withVerification(usage, async (store, id, config) => {
  const server = await temporalOf(config, 'the workflow of the verification must wait for the new link.');
  try {
    const operator = await operatorAtVerification({ store }, { id });
    const row = await store.transaction(async (tx) => {
      await replaceLink({ ...server, tx }, operator, { id, requestId: null });
      return requireCase({ store, db: tx }, operator.scope, id);
    });
    print(verifyUrl({ ...server, publicUrl: publicUrlOf(config) }, row));
    note(`Verification ${id} has a fresh link: the link before opens nothing any more.`);
    await wakeRun(server, id);
  } finally {
    await server.close();
  }
}).catch(exitWith);
