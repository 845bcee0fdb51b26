import { exitWith } from '#platform/process.ts';
import { wakeRun } from '#services/runs/wake-run.ts';
import { operatorAtVerification } from '#services/verifications/by-operator.ts';
import { erase } from '#services/verifications/erase.ts';
import { note } from './parts/command-line.ts';
import { withVerification } from './parts/one-verification.ts';
import { temporalOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent erase -- VERIFICATION_ID';

/** Erases what is stored of the person of one verification. */
await withVerification(usage, async (store, id, config) => {
  const operator = await operatorAtVerification({ store }, { id });
  const isErased = await store.transaction((tx) => erase({ tx }, operator, { id, requestId: null }));
  note(isErased ? `Erased the person of verification ${id}.` : `Verification ${id} was erased before.`);
  const server = await temporalOf(config, 'the workflow of the verification must end.');
  await wakeRun(server, id).finally(server.close);
}).catch(exitWith);
