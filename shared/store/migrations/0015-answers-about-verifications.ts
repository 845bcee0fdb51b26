import { ConcurrentIndexes } from './concurrent-indexes.ts';

/**
 * An erasure finds the stored answers about a verification, and the worker finds the erasures. A submission that was erased awaits no
 * verdict.
 */
export class AnswersAboutVerifications extends ConcurrentIndexes {
  override readonly indexes = {
    requests_about: 'requests (verification_id) where (verification_id is not null)',
    verifications_unsettled:
      "verifications (submitted_at, id) where (submitted_at is not null and status <> 'completed'::text and cancelled_at is null)",
    verifications_erased: 'verifications (erased_at) where (erased_at is not null)',
  };

  override readonly replaced = ['verifications_submitted'];
}
