import { exitWith } from '#platform/process.ts';
import { wakeRun } from '#services/runs/wake-run.ts';
import { operatorAtVerification } from '#services/verifications/by-operator.ts';
import { cancel } from '#services/verifications/cancel.ts';
import { note } from './parts/command-line.ts';
import { withVerification } from './parts/one-verification.ts';
import { temporalOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent cancel -- VERIFICATION_ID';

/** Cancels an open verification, so that its link opens nothing any more. */
await withVerification(usage, async (store, id, config) => {
  const operator = await operatorAtVerification({ store }, { id });
  await store.transaction((tx) => cancel({ tx }, operator, { id, requestId: null }));
  note(`Cancelled verification ${id}: its link opens nothing any more.`);
  const server = await temporalOf(config, 'the workflow of the verification must end.');
  await wakeRun(server, id).finally(server.close);
}).catch(exitWith);
