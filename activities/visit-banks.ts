import type { BanksVisited, VerificationRef } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import type { Context } from '#services/context.ts';
import { recordResult } from '#services/flow/bank/result.ts';
import {
  claimDue,
  type DueAsk,
  type DueBegin,
  nextStepMs,
  recordBegun,
  recordNotBegun,
} from '#services/flow/bank/visits.ts';
import { type Banks, EidFault } from './eid/port.ts';

/**
 * Asks the banks of a person whatever is due. A visit is begun once: its claim is committed before the acquirer is asked, so a crash ends
 * it. A result that cannot be used is asked for again later, as the row says, unless no later one can be used either.
 */
export function createBankVisits(
  ctx: Pick<Context, 'store' | 'secrets' | 'publicUrl' | 'simulator'>,
  banks: Pick<Banks, 'under'>,
  log: Pick<Log, 'warn'>,
) {
  const answerOf = async <Answer>(
    { verificationId }: VerificationRef,
    ask: () => Promise<Answer>,
    instead: (reason: string) => Answer | undefined = () => undefined,
  ) => {
    try {
      return await ask();
    } catch (error) {
      const reason = error instanceof EidFault ? error.message : 'fault';
      log.warn(
        { verification: verificationId, reason, err: error },
        'a bank gave no answer that can be used',
      );
      return instead(reason);
    }
  };

  const begin = async (ref: VerificationRef, { visitId, contract, order }: DueBegin): Promise<void> => {
    const begun = await answerOf(ref, () => banks.under(contract).begin(order));
    if (begun === undefined) await recordNotBegun(ctx, ref, visitId);
    else await recordBegun(ctx, ref, visitId, begun);
  };

  const ask = async (ref: VerificationRef, due: DueAsk): Promise<void> => {
    const fetch = () => banks.under(due.contract).fetchResult(due.transaction);
    const result = await answerOf<Result>(ref, fetch, withoutAnswer);
    if (result !== undefined) await recordResult(ctx, ref, due, result);
  };

  return async (ref: VerificationRef): Promise<BanksVisited> => {
    for (const due of await claimDue(ctx, ref))
      await (due.kind === 'begin' ? begin(ref, due) : ask(ref, due));
    return { waitMs: await nextStepMs(ctx, ref) };
  };
}

type Result = Parameters<typeof recordResult>[3];

/** A bank sets the conditions once, when the person decides. So once they are over, no later answer can be used. */
const withoutAnswer = (reason: string): Result | undefined =>
  reason === 'conditions_over' ? { status: 'unanswered' } : undefined;
