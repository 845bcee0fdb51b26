import type { Caller } from '../caller.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { cancelCase } from '../verifications/cancel.ts';
import type { ById, ChangeContext } from '../verifications/change.ts';
import { eraseCase } from '../verifications/erase.ts';
import { renewLinkOfCase } from '../verifications/renew-link.ts';

const resource = 'income_check';

/** Each does what it does to a verification, by the same rules (decision 43). */
export const cancelIncomeCheck = (ctx: ChangeContext, caller: Caller, { id }: ById): Promise<GivenAnswer> =>
  cancelCase(ctx, caller, { id, resource });

export const renewIncomeCheckLink = (
  ctx: ChangeContext,
  caller: Caller,
  { id }: ById,
): Promise<GivenAnswer> => renewLinkOfCase(ctx, caller, { id, resource });

export const eraseIncomeCheck = (ctx: ChangeContext, caller: Caller, { id }: ById): Promise<GivenAnswer> =>
  eraseCase(ctx, caller, { id, resource });
