import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Housekeeping finds the answers whose time is over. Those that were stored in clear are removed at once. */
export class IndexOfSealedAnswers extends ConcurrentIndexes {
  override readonly indexes = {
    delivery_attempts_with_answer: 'delivery_attempts (started_at) where (answer is not null)',
  };

  override async up(): Promise<void> {
    await super.up();
    this.addSql('update delivery_attempts set response_excerpt = null where response_excerpt is not null');
  }
}
