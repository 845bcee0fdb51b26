import { calendarDay } from '#contract/time.ts';
import type { MaskedReport, VerificationRef } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import type { Context } from '#services/context.ts';
import { beginMasking, type DueMasking, recordMasking } from '#services/flow/masking.ts';
import { maskingEngine } from './checks/engines.ts';
import type { DocumentMasker, MaskedDocument, MaskingRequest } from './checks/port.ts';
import type { Tried } from './tried-again.ts';

/**
 * Masks the document of a live submission that was examined, and replaces the originals by the copies. If the database is lost, the
 * activity fails and is retried without limit. A document that cannot be masked is tried again a few times. Then its originals are
 * deleted, so that neither the verdict waits for ever nor an original stays.
 */
export function createMasking(
  ctx: Pick<Context, 'store' | 'secrets'>,
  masker: DocumentMasker,
  log: Pick<Log, 'warn' | 'error'>,
) {
  const masked = async (ref: VerificationRef, due: DueMasking): Promise<MaskedDocument | null> => {
    const verification = ref.verificationId;
    try {
      return await masker.mask(due.pictures, requestOf(due));
    } catch (error) {
      if (due.againMs === undefined)
        log.error(
          { verification, err: error },
          'a document could not be masked: it is deleted without a copy',
        );
      else log.warn({ verification, err: error }, 'a document could not be masked');
      return null;
    }
  };

  return async (ref: VerificationRef): Promise<MaskedReport & Tried> => {
    const due = await beginMasking(ctx, ref);
    if (due === undefined) return { masked: true };
    const copies = await masked(ref, due);
    if (copies === null && due.againMs !== undefined) return { masked: false, againMs: due.againMs };
    await recordMasking(ctx, ref, due, copies, maskingEngine);
    return { masked: true };
  };
}

/** The day on the copy is that of Send, so a repetition writes the same. */
const requestOf = (due: DueMasking): MaskingRequest => ({
  use: due.use,
  organisation: due.organisation,
  purpose: due.purpose,
  date: calendarDay(due.submittedAt),
  language: due.language,
  coverPortrait: due.coverPortrait,
});
