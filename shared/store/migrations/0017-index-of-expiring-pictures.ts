import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Housekeeping finds the pictures whose time is over. */
export class IndexOfExpiringPictures extends ConcurrentIndexes {
  override readonly indexes = { evidence_over: 'evidence (expires_at)' };

  override readonly replaced = ['evidence_expiring'];
}
