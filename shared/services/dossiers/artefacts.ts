import type { DossierRows } from '#store/dossiers.ts';
import type { Dossier, Line } from './dossier.ts';
import { iso } from './times.ts';

type Artefact = Dossier['artefacts'][number];
type EvidenceRow = DossierRows['evidence'][number];
type Submitted = { kind: string; sha256: string | null };

/** What the person handed in: by the line of the submission, or before that by the rows. */
export function artefactsOf(rows: readonly EvidenceRow[], ledger: readonly Line[]): Artefact[] {
  const submission = ledger.find(({ data }) => Array.isArray(data.evidence));
  const submitted = submission?.data.evidence as Submitted[] | undefined;
  const rowOf = ({ kind, sha256 }: Submitted) =>
    rows.find((row) => row.kind === kind && (row.sha256?.toString('hex') ?? null) === sha256);
  if (submission === undefined || submitted === undefined)
    return rows.map((row) => artefactOf({ kind: row.kind, sha256: hexOf(row) }, row, null, null));
  return submitted.map((each) =>
    artefactOf(each, rowOf(each), submission.sequence, deletionOf(each.kind, ledger)?.sequence ?? null),
  );
}

const hexOf = ({ sha256 }: EvidenceRow) => sha256?.toString('hex') ?? null;

function artefactOf(
  { kind, sha256 }: Submitted,
  row: EvidenceRow | undefined,
  line: number | null,
  deletionLine: number | null,
): Artefact {
  const isKept = row?.hasPicture === true;
  return {
    ...{ kind, sha256, line },
    state: sha256 === null ? 'not_stored' : isKept ? 'kept' : 'deleted',
    taken_at: row === undefined ? null : iso(row.takenAt),
    kept_until: isKept ? iso(row.expiresAt) : null,
    deletion_line: deletionLine,
  };
}

const deletions = ['evidence.purged', 'verification.withdrawn', 'verification.erased'];

const deletionOf = (kind: string, ledger: readonly Line[]) =>
  ledger.findLast(
    ({ type, data }) => deletions.includes(type) && Array.isArray(data.kinds) && data.kinds.includes(kind),
  );
