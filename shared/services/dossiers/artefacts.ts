import type { DossierRows } from '#store/verifications/dossiers.ts';
import type { Dossier, Line } from './dossier.ts';
import { iso } from './times.ts';

type Artefact = Dossier['artefacts'][number];
type EvidenceRow = DossierRows['evidence'][number];
/** Lines of older versions, and copies, have no source. */
type Named = { kind: string; sha256: string | null; source?: string | null };

/** What the person handed in, by the line of the submission, and the masked copies of it. Before the submission: by the rows. */
export function artefactsOf(rows: readonly EvidenceRow[], ledger: readonly Line[]): Artefact[] {
  const named = ledger.flatMap((line) => namedIn(line).map((each) => ({ each, line: line.sequence })));
  if (named.length === 0)
    return rows.map((row) => artefactOf({ ...row, sha256: hexOf(row) }, row, null, null));
  const rowOf = ({ kind, sha256 }: Named) => rows.find((row) => row.kind === kind && hexOf(row) === sha256);
  return named.map(({ each, line }) =>
    artefactOf(each, rowOf(each), line, deletionOf(each.kind, line, ledger)?.sequence ?? null),
  );
}

/** The pictures that a line has brought: those of a submission, and the copies of a masking. */
const namedIn = ({ data }: Line): Named[] =>
  [data.evidence, data.copies].flatMap((list) => (Array.isArray(list) ? list : []));

const hexOf = ({ sha256 }: EvidenceRow) => sha256?.toString('hex') ?? null;

function artefactOf(
  { kind, sha256, source = null }: Named,
  row: EvidenceRow | undefined,
  line: number | null,
  deletionLine: number | null,
): Artefact {
  const isKept = row?.hasPicture === true;
  return {
    ...{ kind, sha256, source, line },
    state: sha256 === null ? 'not_stored' : isKept ? 'kept' : 'deleted',
    taken_at: row === undefined ? null : iso(row.takenAt),
    kept_until: isKept ? iso(row.expiresAt) : null,
    deletion_line: deletionLine,
  };
}

const deletions = ['evidence.masked', 'evidence.purged', 'verification.withdrawn', 'verification.erased'];

/** A picture of one kind may be replaced by a copy of the same kind, so the line comes after the one that brought the picture. */
const deletionOf = (kind: string, broughtBy: number, ledger: readonly Line[]) =>
  ledger.find(
    ({ sequence, type, data }) =>
      sequence > broughtBy &&
      deletions.includes(type) &&
      Array.isArray(data.kinds) &&
      data.kinds.includes(kind),
  );
