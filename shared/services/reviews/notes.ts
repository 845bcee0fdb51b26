import type { ReviewOutcome } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { reviewNotesOf } from '#store/reviews/review-decisions.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { findDataKey, requireDataKey } from '../personal/data-key.ts';
import { ReviewRefused } from './refused.ts';

/** What a member wrote for colleagues when deciding. The partner and the person never receive it, but an export of the person's data has it. */
export type Note = { decisionId: string; memberId: string; outcome: ReviewOutcome; text: string };

const bindingOf = (decisionId: string) => `review-note/${decisionId}`;

/** Seals the note of a new decision. Null if there is none. Throws if it is too long. */
export async function sealedNote(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  { id, verificationId, note = '' }: { id: string; verificationId: string; note: string | undefined },
): Promise<Buffer | null> {
  const text = note.trim();
  if (text === '') return null;
  if (text.length > limits.reviewNoteCharacters) throw new ReviewRefused('note_too_long');
  return (await requireDataKey(ctx, tx, scope, verificationId)).seal(bindingOf(id), text);
}

/** The notes of a verification. Before the review is over a member sees none, because the next one must not know what others found. */
export async function notesOf(
  ctx: Pick<Context, 'store' | 'secrets'>,
  caller: Caller,
  { id }: { id: string },
): Promise<Note[]> {
  assertMay(caller, 'evidence.see');
  const { db } = ctx.store;
  const subject = await reviewsOf(caller.scope, db, id).subject();
  return subject?.verdict?.reviewed ? openNotes(ctx, db, caller.scope, id) : [];
}

/** Opens all notes of a verification. An erased one has none. */
export async function openNotes(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  scope: OrgScope,
  verificationId: string,
): Promise<Note[]> {
  const sealed = await reviewNotesOf(scope, db, verificationId).all();
  if (sealed.length === 0) return [];
  const key = await findDataKey(ctx, db, scope, verificationId);
  return sealed.flatMap(({ id: decisionId, memberId, outcome, note }) =>
    key === undefined
      ? []
      : [{ decisionId, memberId, outcome, text: key.open(bindingOf(decisionId), note).toString('utf8') }],
  );
}
