import type { ContractTrial } from '#contract/eid.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { changeContract, shownContract } from './contracts.ts';

export type OwnContractContext = Pick<Context, 'store' | 'secrets'> & {
  /** Reads a contract and asks its acquirer. */
  tryContract(text: string): Promise<ContractTrial>;
};

/** What a member may see of the contract of the organisation. Undefined if there is none. */
export async function readOwnContract({ store }: Pick<Context, 'store'>, caller: Caller) {
  assertMay(caller, 'organisation.see');
  return shownContract(store.db, caller.scope);
}

/** Sets the contract of the member's organisation if its acquirer answers. Otherwise nothing is changed. */
export async function setOwnContract(
  ctx: OwnContractContext,
  caller: Caller,
  { file }: { file: Uint8Array },
): Promise<ContractTrial> {
  assertMay(caller, 'organisation.change');
  const trial = await ctx.tryContract(Buffer.from(file).toString('utf8'));
  if (trial.is === 'working') await changeContract(ctx, caller, { contract: trial.contract });
  return trial;
}
