import type { StoredKind } from '#contract/enums.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { timeOf } from '#store/database/statements.ts';
import { ledgerOf } from '#store/ledger.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { dossierOf } from '#store/verifications/dossiers.ts';
import { maskingsOf } from '#store/verifications/maskings.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { sealedConfirmation } from '../ledger/confirmation.ts';
import { lockSubject } from './open.ts';
import { noteLook, openPictures, type PicturesContext, type Shown, specimensOf } from './pictures.ts';

/**
 * What a member can see of the evidence of a verification. `endsAt` is null if nothing of it is a stored picture. `open`: there is no
 * verdict yet. `unmasked`: the masked copy is still being made. `none`: nothing was handed in, or nothing of it was kept.
 */
export type KeptEvidence =
  | { state: 'kept'; kinds: StoredKind[]; endsAt: Date | null }
  | { state: 'gone'; since: Date }
  | { state: 'open' | 'unmasked' | 'none' };

type Subject = NonNullable<Awaited<ReturnType<ReturnType<typeof reviewsOf>['subject']>>>;

/** Says what is kept, and shows nothing. The verification must exist. */
export async function findKeptEvidence(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id }: { id: string },
): Promise<KeptEvidence & { isInQueue: boolean }> {
  assertMay(caller, 'evidence.see');
  const { scope } = caller;
  const subject = await reviewsOf(scope, store.db, id).subject();
  if (subject === undefined) return { state: 'none', isInQueue: false };
  const kept = await keptOf(store.db, { scope, id, subject, now: await timeOf(store.db) });
  return { ...kept, isInQueue: subject.isInQueue };
}

/**
 * Shows a member what is kept of the evidence after the verdict, whether or not the review is open. Each look is a line of the ledger that
 * names the kinds and the member, and is committed before anything is shown. `shown` is null if nothing is kept.
 */
export async function lookAtEvidence(
  ctx: PicturesContext,
  caller: Caller,
  { id }: { id: string },
): Promise<Shown | null> {
  assertMay(caller, 'evidence.see');
  const { actor, scope } = caller;
  return ctx.store.transaction(async (tx) => {
    const subject = await lockSubject(tx, scope, id);
    const kept = await keptOf(tx, { scope, id, subject, now: subject.at });
    if (kept.state !== 'kept') return null;
    const { pictures, read, ...others } = await openPictures(ctx, tx, scope, subject);
    const shown = {
      pictures: pictures.filter(({ kind }) => kept.kinds.includes(kind)),
      read: kept.kinds.includes('fields') ? read : null,
      ...others,
    };
    await noteLook(tx, scope, { id, actor, at: subject.at, shown });
    return shown;
  });
}

type Asked = { scope: OrgScope; id: string; subject: Subject; now: Date };

/** A picture whose time is over counts as gone, also while housekeeping still has to delete it. */
async function keptOf(db: Db, { scope, id, subject, now }: Asked): Promise<KeptEvidence> {
  if (subject.erasedAt !== null) return { state: 'gone', since: subject.erasedAt };
  if (subject.verdict === null) return { state: 'open' };
  if (await maskingsOf(scope, db, id).areOriginalsLeft()) return { state: 'unmasked' };
  const stored = await dossierOf(scope, db, id).evidence();
  // The answer of a bank is no picture. A member sees what it says.
  const given = stored.filter(({ kind }) => kind !== 'bank');
  if (scope.environment === 'sandbox')
    return specimensKept(stored.length > 0 ? given : specimensOf(subject.method));
  const pictures = given.filter(({ hasPicture }) => hasPicture);
  const kept = pictures.filter(({ expiresAt }) => expiresAt > now);
  const isConfirmed = (await sealedConfirmation(db, scope, id)) !== undefined;
  const kinds = [...kept.map(({ kind }) => kind), ...(isConfirmed ? ['bank' as const] : [])];
  if (kinds.length > 0) return { state: 'kept', kinds, endsAt: first(kept) };
  const over = first(pictures) ?? (await purgedAt(db, scope, id));
  return over === undefined ? { state: 'none' } : { state: 'gone', since: over };
}

const specimensKept = (specimens: readonly { kind: StoredKind }[]): KeptEvidence =>
  specimens.length === 0
    ? { state: 'none' }
    : { state: 'kept', kinds: specimens.map(({ kind }) => kind), endsAt: null };

const first = (pictures: readonly { expiresAt: Date }[]): Date | null =>
  pictures.map(({ expiresAt }) => expiresAt).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;

async function purgedAt(db: Db, scope: OrgScope, id: string): Promise<Date | undefined> {
  const lines = await ledgerOf(scope, db).lines(id);
  return lines.findLast(({ type }) => type === 'evidence.purged')?.createdAt;
}
