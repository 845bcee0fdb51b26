import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { Method, PictureSource, StoredKind } from '#contract/enums.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import type { Context } from '../context.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { type Confirmed, openConfirmation } from '../ledger/confirmation.ts';
import { evidenceBinding, findDataKey, openPersonal } from '../personal/data-key.ts';
import { papersOf, type ShownPapers } from '../personal/papers.ts';
import { readIn } from '../personal/read-fields.ts';

export type PicturesContext = Pick<Context, 'store' | 'secrets'>;

/**
 * A picture of an end user. `jpeg` is null in sandbox, which stores no picture: a page shows a specimen. `source` is a browser's word,
 * null if it said nothing.
 */
export type ReviewedPicture = { kind: StoredKind; jpeg: Buffer | null; source: PictureSource | null };

export type Shown = {
  pictures: ReviewedPicture[];
  /** What was read of the document where. Null if nothing was, and in sandbox. */
  read: ReadDocument | null;
  /** Null if no bank confirmed anything. */
  confirmed: Confirmed | null;
  /** The documents of an income check. Null if there are none. */
  papers: ShownPapers | null;
};

type Subject = { id: string; method: Method };

/** Opens what is stored of the evidence of a verification. In the same transaction, `noteLook` must note it. */
export const openPictures = async (
  ctx: PicturesContext,
  tx: Db,
  scope: OrgScope,
  subject: Subject,
): Promise<Shown> => ({
  ...(await picturesOf(ctx, tx, scope, subject)),
  confirmed: await openConfirmation(ctx, tx, scope, subject.id),
  papers: await papersOf(ctx, tx, scope, subject.id),
});

/** Notes in the ledger who sees which kinds of evidence. A specimen is nobody's picture, so it is no look. */
export async function noteLook(
  tx: Db,
  scope: OrgScope,
  { id, actor, at, shown }: { id: string; actor: Actor; at: Date; shown: Shown },
): Promise<void> {
  const pictures = shown.pictures.filter(({ jpeg }) => jpeg !== null).map(({ kind }) => kind);
  const kinds: StoredKind[] = [
    ...pictures,
    ...(shown.read === null ? [] : (['fields'] as const)),
    ...(shown.confirmed === null ? [] : (['bank'] as const)),
    ...(shown.papers === null ? [] : (['papers'] as const)),
  ];
  if (kinds.length === 0) return;
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'evidence.viewed', actor, data: { kinds }, at },
  });
  await writeAtOnce(tx, line);
}

async function picturesOf(
  ctx: PicturesContext,
  tx: Db,
  scope: OrgScope,
  { id: verificationId, method }: Subject,
): Promise<Pick<Shown, 'pictures' | 'read'>> {
  const key = await findDataKey(ctx, tx, scope, verificationId);
  const evidence = await evidenceOf(scope, tx, verificationId).all();
  if (scope.environment === 'sandbox' && evidence.length === 0)
    return { pictures: specimensOf(method), read: null };
  const open = (kind: StoredKind, value: Buffer) =>
    openPersonal(ctx, key, { purpose: 'evidence', binding: evidenceBinding(verificationId, kind), value });
  const pictures = evidence.filter(({ kind, picture }) => isPicture(kind, picture));
  const read = evidence.find(({ kind }) => kind === 'fields')?.picture ?? null;
  return {
    pictures: pictures.map(({ kind, source, picture }) => ({
      ...{ kind, source, jpeg: picture && open(kind, picture) },
    })),
    read: read && readIn(open('fields', read)),
  };
}

/** Neither frames, nor what was read, nor the answer of a bank, nor the manifest of documents is a picture. A reviewer sees what they stand for. */
const isPicture = (kind: StoredKind, picture: Buffer | null): boolean =>
  kind !== 'movements' && kind !== 'fields' && (picture === null || (kind !== 'bank' && kind !== 'papers'));

/** What a person would hand in, for a sandbox verification that nobody walked through. */
export const specimensOf = (method: Method): ReviewedPicture[] =>
  verificationMethods[method].consents.flatMap((item): ReviewedPicture[] => {
    if (item === 'document') return [{ kind: 'passport_page', jpeg: null, source: null }];
    return item === 'face' ? [{ kind: 'selfie', jpeg: null, source: null }] : [];
  });
