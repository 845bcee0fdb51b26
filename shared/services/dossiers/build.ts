import type { CheckKind } from '#contract/enums.ts';
import type { Engine, Making } from '#contract/examinations.ts';
import type { Decision } from '#contract/workflows.ts';
import { version } from '#platform/version.ts';
import { type ReasonId, reasonText } from '#policy/reasons.ts';
import type { LedgerRow } from '#store/ledger.ts';
import type { DossierRows } from '#store/verifications/dossiers.ts';
import type { Anchor } from '../ledger/roots.ts';
import { artefactsOf } from './artefacts.ts';
import { type Dossier, dossierFormat, type Line, type UnsignedDossier } from './dossier.ts';
import { retentionOf } from './retention.ts';
import { iso, isoOrNull } from './times.ts';

export type DossierParts = DossierRows & {
  lines: readonly LedgerRow[];
  /** Undefined if no daily root has this chain. */
  anchor: Anchor | undefined;
  madeAt: Date;
};

/**
 * The header and the verdict come from the rows, and not from the ledger. So a check of the dossier also finds a row that somebody
 * edited: it differs from its line.
 */
export function buildDossier(parts: DossierParts): UnsignedDossier {
  const { verification, evidence, deliveries, anchor } = parts;
  const ledger = parts.lines.map(lineOf);
  return {
    format: dossierFormat,
    header: headerOf(parts),
    consents: ledger.flatMap(consentIn),
    artefacts: artefactsOf(evidence, ledger),
    checks: checksOf(verification.verdict, newestVerdictLine(ledger)),
    verdict: verdictOf(verification.verdict, newestVerdictLine(ledger)),
    deliveries: deliveries.map(deliveryOf),
    retention: retentionOf(parts),
    ledger,
    root: anchor === undefined ? null : rootOf(anchor),
  };
}

const lineOf = (row: LedgerRow): Line => ({
  subject_id: row.subjectId,
  sequence: row.sequence,
  previous_hash: row.previousHash.toString('hex'),
  type: row.type,
  at: iso(row.createdAt),
  data: row.data,
  hash: row.hash.toString('hex'),
});

const headerOf = ({ verification: row, madeAt }: DossierParts): Dossier['header'] => ({
  verification_id: row.id,
  dossier_ref: row.dossierRef,
  organisation: row.organisation,
  environment: row.environment,
  method: row.method,
  status: row.status,
  reference: row.reference,
  created_at: iso(row.createdAt),
  submitted_at: isoOrNull(row.submittedAt),
  completed_at: isoOrNull(row.completedAt),
  made_at: iso(madeAt),
  product_version: version,
});

function consentIn({ sequence: line, at, data }: Line): Dossier['consents'] {
  const consent = data.consent as { version: number; language: string } | undefined;
  return consent ? [{ line, at, version: consent.version, language: consent.language }] : [];
}

/** A later line can have another verdict, for example after a person has looked. */
const newestVerdictLine = (ledger: readonly Line[]) => ledger.findLast(({ data }) => Boolean(data.verdict));

/** A check that does not apply was not made, so no engine made it. An older line has one engine for all checks. */
function checksOf(verdict: Decision | null, line: Line | undefined): Dossier['checks'] {
  const engine = (line?.data.engine as Engine | undefined) ?? null;
  const makings = (line?.data.makings ?? []) as (Making & { kind: CheckKind })[];
  return (verdict?.checks ?? []).map(({ kind, result, confidence, documentId }) => {
    const making = makings.find((each) => each.kind === kind) ?? { engine, threshold: null, finding: null };
    const { threshold, finding } = making;
    const made = { engine: making.engine, threshold, finding };
    const check = { kind, result, confidence, ...(documentId !== undefined && { document_id: documentId }) };
    return { ...check, ...(result === 'not_applicable' ? notMade : made) };
  });
}

const notMade: Making = { engine: null, threshold: null, finding: null };

const verdictOf = (verdict: Decision | null, line: Line | undefined): Dossier['verdict'] =>
  verdict && {
    line: line?.sequence ?? null,
    at: line?.at ?? null,
    outcome: verdict.outcome,
    assurance_level: verdict.assuranceLevel,
    reasons: verdict.reasonIds.map((id) => ({ id, text: reasonText(id as ReasonId) })),
    reviewed: verdict.reviewed,
    decided_by: (line?.data.actor as Record<string, unknown> | undefined) ?? null,
  };

const deliveryOf = (row: DossierRows['deliveries'][number]): Dossier['deliveries'][number] => ({
  delivery_id: row.id,
  endpoint_id: row.endpointId,
  event_id: row.eventId,
  event_type: row.eventType,
  trigger: row.trigger,
  status: row.status,
  created_at: iso(row.createdAt),
  attempts: row.attempts.map((attempt) => ({
    number: attempt.number,
    started_at: iso(new Date(attempt.startedAt)),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    reason: attempt.reason,
    phase: attempt.phase,
    response_status: attempt.responseStatus,
  })),
});

const rootOf = ({ statement, text, signature, head, proof }: Anchor): Dossier['root'] => ({
  day: statement.day,
  line: head.sequence,
  statement: text,
  signature: signature.toString('hex'),
  index: proof.index,
  path: proof.path.map((hash) => hash.toString('hex')),
});
