import type { ContractTrial } from '#contract/eid.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../ledger/append.ts';
import { changeContract, shownContract } from './contracts.ts';

export type OwnContractContext = Pick<Context, 'store' | 'secrets'> & {
  /** Reads a contract and asks its acquirer. */
  tryContract(text: string): Promise<ContractTrial>;
};

/** What a member may see of the contract of the organisation. Undefined if there is none. */
export const readOwnContract = ({ store: { db } }: Pick<Context, 'store'>, scope: OrgScope) =>
  shownContract(db, scope);

/** Sets the contract of the member's organisation if its acquirer answers. Otherwise nothing is changed. */
export async function setOwnContract(
  ctx: OwnContractContext,
  { orgId }: OrgScope,
  file: Uint8Array,
  actor: Actor,
): Promise<ContractTrial> {
  const trial = await ctx.tryContract(Buffer.from(file).toString('utf8'));
  if (trial.is === 'working') await changeContract(ctx, { id: orgId }, trial.contract, actor);
  return trial;
}

/** Removes the contract of the member's organisation. Persons who are at a bank then cannot finish there. */
export const removeOwnContract = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { orgId }: OrgScope,
  actor: Actor,
): Promise<boolean> => changeContract(ctx, { id: orgId }, null, actor);
