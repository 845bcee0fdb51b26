import type { Check, RunChecks } from '#contract/workflows.ts';
import { checksInDoubt } from '#policy/decide.ts';
import type { Context } from '#services/context.ts';
import { documentPictures } from '#services/flow/evidence.ts';
import type { DocumentEngine } from './checks/port.ts';

/** What the machine can say of a person's document. What it read stays in the engine; only results come out. */
export const createChecks =
  (ctx: Pick<Context, 'store' | 'secrets' | 'clock'>, documents: DocumentEngine) =>
  async (order: RunChecks): Promise<Check[]> => {
    const pictures = await documentPictures(ctx, order);
    return pictures === undefined ? checksInDoubt : documents.check(pictures, ctx.clock.now());
  };
