import { createHash } from 'node:crypto';
import type { Decision } from '#contract/workflows.ts';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { createSigner, type Signer } from '#platform/crypto/ed25519.ts';
import { createMerkleTree } from '#platform/crypto/merkle.ts';
import { type Head, lineOf } from '#platform/crypto/root-files.ts';
import { buildDossier, type DossierParts } from '#services/dossiers/build.ts';
import type { Dossier, Line } from '#services/dossiers/dossier.ts';
import { signDossier } from '#services/dossiers/sign.ts';
import { beginning, lineHash } from '#services/ledger/append.ts';
import { makingsForLedger, verdictForLedger } from '#services/ledger/verdict.ts';
import type { LedgerRow } from '#store/ledger.ts';

/** A dossier that is made of rows of our own, without a database. */

export const ledgerSigner = createSigner([Buffer.alloc(32, 21)]);

const verdict: Decision = {
  outcome: 'review',
  assuranceLevel: 'low',
  reasonIds: ['document_data_in_doubt', 'person_assesses'],
  checks: [
    { kind: 'document_integrity', result: 'not_applicable', confidence: 0 },
    { kind: 'document_expiry', result: 'passed', confidence: 0.99 },
    { kind: 'mrz_check_digits', result: 'passed', confidence: 0.99 },
    { kind: 'data_consistency', result: 'doubt', confidence: 0.45 },
  ],
  reviewed: false,
};

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds));
const picture = Buffer.alloc(32, 5);

/** The lines of a live verification, each with the hash of the line before. */
function chainOf(id: string, steps: readonly { type: string; data: Record<string, unknown> }[]): LedgerRow[] {
  const rows: LedgerRow[] = [];
  for (const [index, { type, data }] of steps.entries()) {
    const previous = rows.at(-1) ?? beginning;
    const createdAt = at(index * 30);
    const hash = lineHash(previous, { subjectId: id, type, data, at: createdAt });
    const sequence = index + 1;
    rows.push({ subjectId: id, sequence, type, data, previousHash: previous.hash, hash, createdAt });
  }
  return rows;
}

type Wish = {
  reference?: string | null;
  organisation?: string;
  /** The number of lines that the root vouches for. 0 if there is no root. */
  anchored?: number;
  /** The number of the other chains that the root is about, before and after this one. */
  others?: { before: number; after: number };
  rootSigner?: Signer;
  signer?: Signer;
  /** If true, the document was masked before the verdict. */
  masked?: boolean;
  /** If true, a version made it that noted one engine for all checks. */
  older?: boolean;
  /** The number of deliveries, of three attempts each. */
  deliveries?: number;
};

export function madeUpDossier({
  reference = 'order 7',
  organisation = 'Acme',
  anchored = 4,
  others = { before: 3, after: 3 },
  rootSigner = ledgerSigner,
  signer = ledgerSigner,
  masked = false,
  older = false,
  deliveries = 1,
}: Wish = {}): Dossier {
  const id = '01a20702-0e6c-783d-a23b-10e610c52745';
  const engine = { name: 'document-reader', version: '0.1.0' };
  const made = verdict.checks.map((check) => ({ ...check, engine, threshold: 'documents 1', finding: null }));
  const evidence = [{ kind: 'passport_page', sha256: picture.toString('hex'), source: 'live_camera' }];
  const lines = chainOf(id, [
    {
      type: 'verification.created',
      data: {
        actor: { kind: 'key', id: '01a20702-0e2d-7e04-bf1e-79a32fe3630e' },
        ...{ environment: 'live', method: 'document_only', status: 'pending', dossier_ref: 'dos_made_up' },
        verdict: null,
      },
    },
    {
      type: 'verification.started',
      data: { actor: { kind: 'person' }, consent: { version: 1, language: 'nl' }, from: 'pending' },
    },
    { type: 'verification.submitted', data: { actor: { kind: 'person' }, evidence } },
    ...(masked ? [maskingOf(evidence)] : []),
    {
      type: 'verification.completed',
      data: {
        ...{ actor: { kind: 'machine' }, engine, ...(older ? {} : makingsForLedger(made)) },
        verdict: verdictForLedger(verdict),
      },
    },
    {
      type: 'evidence.purged',
      data: { actor: { kind: 'machine' }, kinds: [masked ? 'masked_front' : 'passport_page'] },
    },
  ]);
  const parts: DossierParts = {
    lines,
    madeAt: at(3_600),
    anchor: anchored === 0 ? undefined : anchorOf(lines[anchored - 1], others, rootSigner),
    verification: {
      ...{ id, organisation, environment: 'live', status: 'completed', method: 'document_only', reference },
      ...{ dossierRef: 'dos_made_up', linkExpiresAt: at(86_400), verdict },
      ...{ createdAt: at(0), submittedAt: at(60), completedAt: at(masked ? 120 : 90), evidenceDays: 30 },
      ...{ relationEndedAt: null, relationContinues: false },
    },
    evidence: [],
    events: [{ id: 'evt_made_up', type: 'verification.completed', createdAt: at(90), hasBody: true }],
    deliveries: Array.from({ length: deliveries }, (_, n) => deliveryOf(n)),
  };
  return signDossier(buildDossier(parts), signer);
}

const maskingOf = (originals: readonly { kind: string; sha256: string }[]) => ({
  type: 'evidence.masked',
  data: {
    ...{ actor: { kind: 'machine' }, kinds: originals.map(({ kind }) => kind), originals },
    copies: [{ kind: 'masked_front', sha256: Buffer.alloc(32, 6).toString('hex') }],
    ...{ bsn_detected: true, in_doubt: false },
  },
});

const deliveryOf = (n: number): DossierParts['deliveries'][number] => ({
  ...{ id: `01a20702-0e6c-783d-a23b-${String(n).padStart(12, '0')}`, eventId: 'evt_made_up' },
  ...{ endpointId: '01a20702-0e6c-783d-a23b-aaaaaaaaaaaa', trigger: 'event', status: 'delivered' },
  ...{ url: 'https://partner.example/hooks', nextAttemptAt: null },
  ...{ createdAt: at(90), eventType: 'verification.completed' },
  attempts: [1, 2, 3].map((number) => ({
    ...{ number, startedAt: at(90 + number * 300).toISOString(), durationMs: 120 + number, hasExcerpt: true },
    ...(number < 3
      ? ({ outcome: 'failed', reason: 'http_status', phase: 'headers', responseStatus: 503 } as const)
      : ({ outcome: 'delivered', reason: null, phase: 'body', responseStatus: 200 } as const)),
  })),
});

function anchorOf(
  line: LedgerRow | undefined,
  { before, after }: { before: number; after: number },
  signer: Signer,
): DossierParts['anchor'] {
  if (line === undefined) throw new Error('no such line');
  const head: Head = { subjectId: line.subjectId, sequence: line.sequence, hash: line.hash };
  const tree = createMerkleTree();
  const addOthers = (count: number) => {
    for (let n = 0; n < count; n += 1)
      tree.add(lineOf({ subjectId: newUuid(), sequence: 1, hash: Buffer.alloc(32, n) }));
  };
  addOthers(before);
  tree.add(lineOf(head), true);
  addOthers(after);
  const statement = {
    ...{ day: '2026-11-21', at: '2026-11-21T03:00:00.000Z', chains: tree.leaves() },
    ...{ merkle_root: tree.root().toString('hex'), previous: null, broken_chains: null, broken: [] },
    key: signer.fingerprint,
  };
  const text = `${JSON.stringify(statement, null, 2)}\n`;
  const signature = signer.sign(Buffer.from(text));
  const proof = tree.proof();
  if (proof === undefined) throw new Error('no proof');
  return { statement, text, signature, digest: '', head, proof };
}

/** Computes the hashes of the chain again from this line on, as somebody would who edits the ledger. */
export function rehashed(ledger: readonly Line[]): Line[] {
  let previous = '0'.repeat(64);
  return ledger.map(({ hash: _, ...line }) => {
    const hashed = { ...line, previous_hash: previous };
    previous = createHash('sha256').update(canonicalJson(hashed)).digest('hex');
    return { ...hashed, hash: previous };
  });
}
