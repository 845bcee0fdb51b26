import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Verifications and income checks have lists of their own, and neither reads the rows of the other. */
export class ListsOfCases extends ConcurrentIndexes {
  // The version before reads by `verifications_newest` and `verifications_by_status`, and the search of the console by the first of them.
  override readonly indexes = {
    verifications_newest_chosen: `verifications (org_id, environment, created_at desc, id desc) where method <> 'income'`,
    verifications_by_status_chosen: `verifications (org_id, environment, status, created_at desc, id desc) where method <> 'income'`,
    verifications_newest_income: `verifications (org_id, environment, created_at desc, id desc) where method = 'income'`,
  };
}
