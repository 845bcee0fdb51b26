import {
  type CopyUse,
  type EvidenceKind,
  type Language,
  type MadeKind,
  type OriginalKind,
  originalKinds,
  type PictureSource,
} from '#contract/enums.ts';
import type { Consent, VerificationRef } from '#contract/workflows.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { maskAgainMs, maskingsMax } from '#policy/masking.ts';
import { conclusive } from '#policy/verdicts/conclusive.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { ledgerOf } from '#store/ledger.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { type Engine, examinationsOf } from '#store/verifications/examinations.ts';
import { maskingsOf } from '#store/verifications/maskings.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { evidenceBinding, requireDataKey } from '../personal/data-key.ts';
import { type Examinable, openExaminable } from './evidence.ts';

type MaskingContext = Pick<Context, 'store' | 'secrets'>;

/** A picture of the document as the person handed it in, by the hash that the ledger has. */
type Original = { kind: OriginalKind; sha256: Buffer | null; source: PictureSource | null; expiresAt: Date };

/** A document that is to be masked, and what its copy has to say. */
export type DueMasking = {
  pictures: Examinable;
  originals: readonly Original[];
  /** For whom the copy is: for the member who has to decide, or for the file. */
  use: CopyUse;
  organisation: string;
  purpose: string | null;
  coverPortrait: boolean;
  /** The language in which the person consented. */
  language: Language;
  submittedAt: Date;
  /** If this try fails, the next one follows after so many milliseconds. Undefined for the last try. */
  againMs: number | undefined;
};

/** The copies that replace the originals. */
export type Masked = {
  front: Uint8Array;
  back: Uint8Array | null;
  portrait: Uint8Array | null;
  /** Replaces the selfie, if something on it was covered. */
  selfie?: Uint8Array | null;
  bsnDetected: boolean;
  inDoubt: boolean;
};

/**
 * Counts a try, and returns what is to be masked. Undefined if nothing is left to mask: the document was masked, erased or deleted
 * already, was not examined yet, or was tried too often, which deletes it.
 */
export const beginMasking = (
  ctx: MaskingContext,
  { verificationId: id, ...ref }: VerificationRef,
): Promise<DueMasking | undefined> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await lockSubmitted(tx, scope, id);
    if (verification === undefined) return undefined;
    const originals = await maskingsOf(scope, tx, id).originals();
    if (originals.length === 0) return undefined;
    if (!(await areChecksThrough(tx, scope, verification))) return undefined;
    const tries = await maskingsOf(scope, tx, id).begin();
    const pictures = await openExaminable(ctx, tx, scope, id);
    if (tries > maskingsMax || pictures === undefined) {
      await replace(ctx, tx, scope, verification, { originals, use: 'kept', masked: null, engine: null });
      return undefined;
    }
    return {
      ...{ pictures, originals, submittedAt: verification.submittedAt, againMs: maskAgainMs[tries - 1] },
      ...(await settingsOf(scope, tx).forMasking()),
      language: await languageOf(tx, scope, id),
      use: await useOf(tx, scope, id),
    };
  });

/**
 * Replaces the originals of the document by its copies, in one transaction. Without copies the originals are deleted all the same, and the
 * selfie with them. Does nothing if the originals that were masked are not there any more, for example because the person was erased meanwhile.
 */
export const recordMasking = (
  ctx: MaskingContext,
  { verificationId: id, ...ref }: VerificationRef,
  { originals, use }: Pick<DueMasking, 'originals' | 'use'>,
  masked: Masked | null,
  engine: Engine,
): Promise<void> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await lockSubmitted(tx, scope, id);
    if (verification === undefined) return;
    const present = await maskingsOf(scope, tx, id).originals();
    if (namesOf(present) !== namesOf(originals)) return;
    await replace(ctx, tx, scope, verification, { originals: present, use, masked, engine });
  });

type Submitted = LockedVerification & { submittedAt: Date };

/** Only what was sent, in live, is masked. What was erased stays erased. */
async function lockSubmitted(tx: Db, scope: OrgScope, id: string): Promise<Submitted | undefined> {
  const locked = await verificationsOf(scope, tx).lock(id);
  if (locked === undefined || scope.environment !== 'live' || locked.erasedAt !== null) return undefined;
  const { submittedAt } = locked;
  return submittedAt === null ? undefined : { ...locked, submittedAt };
}

/** A run of an earlier version masks before the verdict. Verdicts of still earlier ones have no examinations. */
const areChecksThrough = async (
  tx: Db,
  scope: OrgScope,
  { id, status, method }: Submitted,
): Promise<boolean> =>
  status === 'completed' || conclusive(method, await examinationsOf(scope, tx, id).found()) !== undefined;

/** A member who decides sees the document itself. Where nobody decides, only the copy for the file is made. */
async function useOf(tx: Db, scope: OrgScope, id: string): Promise<CopyUse> {
  const subject = await reviewsOf(scope, tx, id).subject();
  return subject?.isInQueue ? 'review' : 'kept';
}

type Replacement = Pick<DueMasking, 'originals' | 'use'> & { masked: Masked | null; engine: Engine | null };

/** The ledger line has the hashes of both sides, so that an auditor can tell which picture a copy was made of. */
async function replace(
  ctx: MaskingContext,
  tx: Db,
  scope: OrgScope,
  { id, now: at }: Submitted,
  { originals, use, masked, engine }: Replacement,
): Promise<void> {
  const evidence = evidenceOf(scope, tx, id);
  const received = await evidence.received();
  const replaced = received.filter(({ kind }) => isReplaced(kind, masked));
  // Without a copy nothing stays, and so nothing beside which a person could read what was read.
  const kinds = masked === null ? await evidence.removeAll() : replaced.map(({ kind }) => kind);
  if (masked !== null) await evidence.remove(kinds);
  const expiresAt = new Date(Math.min(...originals.map((original) => original.expiresAt.getTime())));
  const copies = masked === null ? [] : copiesOf(masked);
  for (const { kind, jpeg, hash } of copies) {
    const key = await requireDataKey(ctx, tx, scope, id);
    const picture = key.seal(evidenceBinding(id, kind), jpeg);
    await evidence.keep({ kind, picture, sha256: hash, source: sourceOf(kind, replaced), expiresAt });
  }
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'evidence.masked', actor: { kind: 'machine' }, at },
    data: {
      kinds,
      originals: replaced.map(({ kind, sha256 }) => ({ kind, sha256: sha256?.toString('hex') ?? null })),
      copies: copies.map(({ kind, hash }) => ({ kind, sha256: hash.toString('hex') })),
      ...(masked !== null && { copy: use }),
      bsn_detected: masked?.bsnDetected ?? null,
      in_doubt: masked?.inDoubt ?? null,
      ...(engine !== null && { engine }),
    },
  });
  await writeAtOnce(tx, line);
}

/**
 * The pictures of the document and the frames of the movements always go. The selfie goes if a copy of it was made, and if nobody knows whether it shows a document.
 */
const isReplaced = (kind: EvidenceKind, masked: Masked | null): boolean =>
  kind === 'selfie'
    ? masked === null || (masked.selfie ?? null) !== null
    : kind === 'movements' || originalKinds.some((each) => each === kind);

type Handed = { kind: EvidenceKind; source: PictureSource | null };

/** A copy has the source of the picture that it was made of. */
const sourceOf = (made: CopyKind, handed: readonly Handed[]): PictureSource | null =>
  handed.find(({ kind }) => madeOf(kind, made))?.source ?? null;

function madeOf(kind: EvidenceKind, made: CopyKind): boolean {
  if (made === 'selfie' || made === 'masked_back') return kind === (made === 'selfie' ? made : 'card_back');
  return kind === 'passport_page' || kind === 'card_front';
}

type CopyKind = MadeKind | 'selfie';

const copiesOf = ({ front, back, portrait, selfie = null }: Masked) =>
  (
    [
      ['masked_front', front],
      ['masked_back', back],
      ['portrait', portrait],
      ['selfie', selfie],
    ] satisfies [CopyKind, Uint8Array | null][]
  ).flatMap(([kind, picture]) => {
    if (picture === null) return [];
    const jpeg = Buffer.from(picture);
    return [{ kind, jpeg, hash: sha256(jpeg) }];
  });

const namesOf = (originals: readonly Original[]): string =>
  originals.map(({ kind, sha256 }) => `${kind} ${sha256?.toString('hex')}`).join();

/** The newest consent counts, since a person may have withdrawn one and given another. */
async function languageOf(tx: Db, scope: OrgScope, id: string): Promise<Language> {
  const lines = await ledgerOf(scope, tx).lines(id);
  const { data } = lines.findLast(({ type }) => type === 'verification.started') ?? {};
  return (data?.consent as Consent | undefined)?.language ?? 'nl';
}
