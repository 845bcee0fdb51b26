import type { VerificationStatus } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { fallbacks, type OrganisationSettings, settingsForLedger } from '#policy/organisation-settings.ts';
import { type Paused, pausedIn } from '#policy/pauses.ts';
import { relationEndOn } from '#policy/relations.ts';
import type { LastLine } from '#store/ledger.ts';
import type { MemberLine, MemberState } from '#store/members/members.ts';
import type { Pause } from '#store/webhooks/webhook-endpoints.ts';
import type { Entry } from './append.ts';
import { verdictForLedger } from './verdict.ts';

type LineData = NonNullable<LastLine>['data'];

type VerificationRow = {
  status: VerificationStatus;
  submittedAt: Date | null;
  completedAt: Date | null;
  linkExpiresAt: Date;
  cancelledAt: Date | null;
  withdrawnAt: Date | null;
  verdict: Decision | null;
  erasedAt: Date | null;
  relationEndedAt: Date | null;
  relationContinues: boolean;
  /** The newest line that changed the status. */
  lastLine: LastLine;
  /** The time of the line that completed the verification. */
  completion: Date | null;
  /** The newest line that gave the link an end. */
  link: LastLine;
  /** The newest line that cancelled the verification, or ended that. */
  stop: LastLine;
  /** The newest line that gave or took back the consent. */
  consent: LastLine;
  erasure: LastLine;
  /** The newest line about the business relationship. */
  relation: LastLine;
  /** The data of the lines that say which pictures came and went since Send. */
  evidenceLines: readonly LineData[];
  /** The hashes of the stored pictures, by kind. */
  pictures: Readonly<Record<string, string | null>>;
};

/**
 * True if the row says what the lines of its chain say. One transaction writes both. So they differ only if somebody edited the
 * row, or removed lines.
 */
export const verificationAgrees = (row: VerificationRow): boolean =>
  statusAgrees(row) &&
  row.completedAt?.getTime() === row.completion?.getTime() &&
  linkAgrees(row) &&
  stopAgrees(row) &&
  (row.erasedAt === null) === (row.erasure === null) &&
  relationAgrees(row) &&
  evidenceAgrees(row);

function statusAgrees({ status, submittedAt, verdict, lastLine }: VerificationRow): boolean {
  if (lastLine === null) return false;
  const { verdict: recorded = null } = lastLine.data;
  const present = verdict && verdictForLedger(verdict);
  return (
    linesOf(status, submittedAt !== null).includes(lastLine.type) &&
    canonicalJson(recorded) === canonicalJson(present)
  );
}

/** Only the line of a renewal records when the link ends. */
const linkAgrees = ({ linkExpiresAt, link }: VerificationRow): boolean =>
  link === null ||
  !types('verification.link_renewed').includes(link.type) ||
  link.data.expires_at === linkExpiresAt.toISOString();

/** A fresh link revives what was cancelled, and a new Start what was withdrawn. An erasure cancels what is open. */
function stopAgrees({
  cancelledAt,
  withdrawnAt,
  erasedAt,
  completion,
  stop,
  consent,
}: VerificationRow): boolean {
  const isCancelled = types('verification.cancelled', 'verification.withdrawn').includes(stop?.type ?? '');
  const wasOpen = completion === null || (erasedAt !== null && completion > erasedAt);
  return (
    (cancelledAt !== null) === (isCancelled || (erasedAt !== null && wasOpen)) &&
    (withdrawnAt !== null) === types('verification.withdrawn').includes(consent?.type ?? '')
  );
}

/** A picture that nobody sent yet has no line. From Send on, each picture that is stored, replaced or deleted has one. */
function evidenceAgrees({ submittedAt, erasedAt, evidenceLines, pictures }: VerificationRow): boolean {
  if (submittedAt === null) return true;
  const expected = erasedAt === null ? evidenceLines.reduce(picturesAfter, new Map()) : new Map();
  return canonicalJson(Object.fromEntries(expected)) === canonicalJson(pictures);
}

type Hashes = ReadonlyMap<string, string>;
type Named = { kind: string; sha256: string | null };

function picturesAfter(before: Hashes, data: LineData): Hashes {
  const brought = [data.evidence, data.copies].flatMap((list) =>
    Array.isArray(list) ? (list as Named[]) : [],
  );
  const gone = Array.isArray(data.kinds) ? data.kinds : [];
  // In sandbox no picture is stored, so there is no hash.
  const stored = brought.flatMap(({ kind, sha256 }) => (sha256 === null ? [] : [[kind, sha256] as const]));
  return new Map([...[...before].filter(([kind]) => !gone.includes(kind)), ...stored]);
}

/** The end of the relationship decides when a verification is removed. */
function relationAgrees({ relationEndedAt, relationContinues, relation }: VerificationRow): boolean {
  const endedOn = relation?.data.ended_on;
  const endedAt = typeof endedOn === 'string' ? relationEndOn(endedOn) : null;
  return (
    relationEndedAt?.getTime() === endedAt?.getTime() &&
    relationContinues === types('relation.continues').includes(relation?.type ?? '')
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
export const endpointAgrees = ({ active, lastLine, byMember, byOperator, ...pause }: EndpointRow): boolean =>
  lastLine !== null &&
  active !== types('webhook.deactivated').includes(lastLine.type) &&
  canonicalJson(pausedIn(pause)) === canonicalJson({ byMember, byOperator });

/** `byMember` and `byOperator` say who has paused the endpoint by its lines. */
type EndpointRow = Pause & Paused & { active: boolean; lastLine: LastLine };

type KeyRow = { revokedAt: Date | null; replacedBy: string | null; lastLine: LastLine };

/** As for a verification. A key without a line was planted, or its chain was removed. */
export function keyAgrees({ revokedAt, replacedBy, lastLine }: KeyRow): boolean {
  if (lastLine === null) return false;
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

/**
 * Returns the members of an organisation that are not what its chain says: with another role, disabled, enabled or removed by hand, or
 * never invited.
 */
export function membersThatDiffer(members: readonly MemberState[], lines: readonly MemberLine[]): string[] {
  const recorded = new Map<unknown, Omit<MemberState, 'id'>>();
  for (const { type, data } of lines) {
    const before = recorded.get(data.member_id) ?? {
      ...{ role: '', hasJoined: false, isDisabled: false, isRemoved: false },
    };
    recorded.set(data.member_id, { ...before, ...changeBy(type as Entry['type'], data) });
  }
  return members.flatMap(({ id, ...state }) =>
    canonicalJson(state) === canonicalJson(recorded.get(id) ?? null) ? [] : [id],
  );
}

function changeBy(type: Entry['type'], data: MemberLine['data']): Partial<MemberState> {
  if (type === 'member.invited') return { role: String(data.role) };
  if (type === 'member.role_changed') return { role: String(data.to) };
  if (type === 'member.joined') return { hasJoined: true };
  if (type === 'member.disabled') return { isDisabled: true };
  if (type === 'member.removed') return { isRemoved: true };
  return type === 'member.enabled' ? { isDisabled: false } : {};
}

const types = (...lines: Entry['type'][]): readonly string[] => lines;
