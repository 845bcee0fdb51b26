import type { CallerContext } from '../context.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { cancelCase } from '../verifications/cancel.ts';
import { eraseCase } from '../verifications/erase.ts';
import { renewLinkOfCase } from '../verifications/renew-link.ts';

type ById = { id: string };

/** Each does what it does to a verification, by the same rules (decision 43). */
export const cancelIncomeCheck = (ctx: CallerContext, { id }: ById): Promise<GivenAnswer> =>
  cancelCase(ctx, 'income_check', id);

export const renewIncomeCheckLink = (ctx: CallerContext, { id }: ById): Promise<GivenAnswer> =>
  renewLinkOfCase(ctx, 'income_check', id);

export const eraseIncomeCheck = (ctx: CallerContext, { id }: ById): Promise<GivenAnswer> =>
  eraseCase(ctx, 'income_check', id);
