import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The sweep finds verifications whose workflow has not started. */
export class IndexOfRunsToStart extends ConcurrentIndexes {
  override readonly indexes = {
    verifications_run_due: 'verifications (run_due_since, id) where run_due_since is not null',
  };
}
