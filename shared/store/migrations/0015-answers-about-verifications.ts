import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** An erasure finds the stored answers about a verification, and `inspect` the erasures. */
export class AnswersAboutVerifications extends ConcurrentIndexes {
  override readonly indexes = {
    requests_about: 'requests (verification_id) where (verification_id is not null)',
    verifications_erased: 'verifications (erased_at) where (erased_at is not null)',
  };
}
