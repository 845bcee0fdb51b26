import { fourEyesDays } from '#contract/members.ts';
import type { Content } from '#platform/pdf.ts';
import type { Dossier } from './dossier.ts';
import { hashText, muted, paragraph, sentence, tableSection } from './layout.ts';

/** Who decided what, from the line of the review. If several did, also who gave them access of late. */
export function review({ ledger }: Dossier): Content[] {
  const decisions = ledger.findLast(({ type }) => type === 'verification.reviewed')?.data.decisions;
  if (!Array.isArray(decisions)) return [];
  const rows = decisions.map(({ member_id, outcome, reasons, access_from = [] }: ReviewerDecision) => [
    { stack: [hashText(member_id), ...accessLines(access_from)] },
    sentence(outcome),
    { stack: reasons.map((id) => muted(id)) },
  ]);
  const table = tableSection('Review by members', ['*', 80, 220], ['Member', 'Decision', 'Reasons'], rows);
  return decisions.length > 1 ? [table, paragraph(independence)] : [table];
}

/** Lines of earlier versions have no `access_from`. */
type ReviewerDecision = { member_id: string; outcome: string; reasons: string[]; access_from?: string[] };

const accessLines = (from: readonly string[]): Content[] =>
  from.flatMap((id) => [muted(`access of the last ${fourEyesDays} days from`), hashText(id)]);

const independence =
  `None of these members invited, reset or gave a role to another of them within ${fourEyesDays} days before. ` +
  'If the same third member did so for two of them, that member could have acted for both.';
