import type { LookResult } from '#contract/enums.ts';
import type { LookedAtReport, VerificationRef } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import { adviceOnMovements } from '#policy/advice.ts';
import type { Context } from '#services/context.ts';
import { type DueLook, dueLooks, recordLook, reportLooks } from '#services/flow/looks.ts';
import type { LivenessMeasurer, PictureLooker } from './checks/port.ts';
import { createLivenessAhead } from './run-checks.ts';

/**
 * Looks at the pictures of a person who has not sent yet, and notes what could be better. A picture that its program could not look at is
 * noted as `unknown` and not tried again: the person goes on, and the examination after Send decides. Movements are examined at once, since
 * their examination takes no longer than a look would.
 */
export function createLooks(
  ctx: Pick<Context, 'store' | 'secrets' | 'clock' | 'instruments'>,
  { looker, liveness }: { looker: PictureLooker; liveness: LivenessMeasurer },
  log: Pick<Log, 'warn'>,
) {
  const examine = createLivenessAhead(ctx, liveness, log);
  const seen = async (ref: VerificationRef, due: DueLook): Promise<LookResult> => {
    if (due.isRepeated) return 'same_side';
    if (due.kind === 'movements') {
      const made = await examine(ref);
      return made === undefined ? 'unknown' : adviceOnMovements(made);
    }
    try {
      return await looker.look(due.kind, due.bytes, ctx.clock.now());
    } catch (error) {
      log.warn({ verification: ref.verificationId, err: error }, 'a picture could not be looked at');
      return 'unknown';
    }
  };

  return async (ref: VerificationRef): Promise<LookedAtReport> => {
    for (const due of await dueLooks(ctx, ref)) await recordLook(ctx, ref, due, await seen(ref, due));
    return reportLooks(ctx, ref);
  };
}
