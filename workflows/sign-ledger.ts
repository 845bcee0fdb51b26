import { setCurrentDetails } from '@temporalio/workflow';
import type { LedgerSigned } from '#contract/workflows.ts';
import { signEnds } from './activities.ts';

/** Signs the ends of the ledger's chains, if that was not done today. */
export async function signLedger(): Promise<LedgerSigned> {
  const signed = await signEnds();
  if (signed.broken)
    setCurrentDetails(`**${signed.broken} chains were cut or changed.** \`npm run inspect\` names them.`);
  return signed;
}
