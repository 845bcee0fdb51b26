import { ConcurrentIndexes } from './concurrent-indexes.ts';

/**
 * Housekeeping finds attempts with an answer or with headers. The version before looks for an answer alone, and reads by this index too,
 * because the one condition implies the other. So it takes the place of the older one, and an attempt enters no more indexes than before.
 */
export class AttemptsWithContents extends ConcurrentIndexes {
  override readonly indexes = {
    delivery_attempts_with_contents:
      'delivery_attempts (started_at) where answer is not null or heads is not null',
  };
  override readonly replaced = ['delivery_attempts_with_answer'];
}
