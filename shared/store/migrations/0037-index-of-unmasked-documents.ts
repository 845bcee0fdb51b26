import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The sweep finds verdicts whose document still has to be replaced by its masked copy. */
export class IndexOfUnmaskedDocuments extends ConcurrentIndexes {
  override readonly indexes = {
    evidence_unmasked: `evidence (taken_at, verification_id)
      where picture is not null and kind in ('passport_page', 'card_front')`,
  };
}
