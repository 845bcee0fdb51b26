import type { VerificationStatus } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { canonicalJson } from '#platform/canonical-json.ts';
import { fallbacks, type OrganisationSettings, settingsForLedger } from '#policy/organisation-settings.ts';
import type { LastLine } from '#store/ledger.ts';
import type { Entry } from './append.ts';
import { verdictForLedger } from './verdict.ts';

type VerificationRow = {
  status: VerificationStatus;
  submittedAt: Date | null;
  verdict: Decision | null;
  lastLine: LastLine;
};

/**
 * True if the row says what the last line of its chain says. One transaction writes both. So they differ only if somebody edited the
 * row, or removed lines.
 */
export function verificationAgrees({ status, submittedAt, verdict, lastLine }: VerificationRow): boolean {
  if (lastLine === null) return false;
  const { verdict: recorded = null } = lastLine.data;
  const present = verdict && verdictForLedger(verdict);
  return (
    linesOf(status, submittedAt !== null).includes(lastLine.type) &&
    canonicalJson(recorded) === canonicalJson(present)
  );
}

/** The types that the last line of a verification may have. A sandbox verification can be completed when it is created. */
function linesOf(status: VerificationStatus, isSubmitted: boolean): readonly string[] {
  if (status === 'completed')
    return types('verification.created', 'verification.completed', 'verification.reviewed');
  if (isSubmitted) return types('verification.submitted');
  return types(status === 'pending' ? 'verification.created' : 'verification.started');
}

/** As for a verification. A line of the ledger does not repeat the URL, because it can contain a secret of the partner. */
export const endpointAgrees = ({ active, lastLine }: { active: boolean; lastLine: LastLine }): boolean =>
  lastLine !== null && active !== types('webhook.deactivated').includes(lastLine.type);

type KeyRow = { revokedAt: Date | null; replacedBy: string | null; lastLine: LastLine };

/** As for a verification. A key that an earlier version made has no line before its first change. */
export function keyAgrees({ revokedAt, replacedBy, lastLine }: KeyRow): boolean {
  if (lastLine === null) return true;
  if (revokedAt !== null) return types('key.revoked').includes(lastLine.type);
  return types(replacedBy === null ? 'key.created' : 'key.replaced').includes(lastLine.type);
}

type OrganisationRow = OrganisationSettings & { lastLine: LastLine };

/** As for a verification, without the texts. An organisation whose settings nobody changed has no line. */
export function organisationAgrees({ lastLine, ...row }: OrganisationRow): boolean {
  const recorded = lastLine?.data.settings as Record<string, unknown> | undefined;
  return (
    canonicalJson({ ...settingsForLedger(fallbacks), ...recorded }) === canonicalJson(settingsForLedger(row))
  );
}

const types = (...lines: Entry['type'][]): readonly string[] => lines;
