import { dayMs } from '#contract/time.ts';
import { type ActLine, type ActPlace, actsOf } from '#store/members/acts.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type LookedBack, lookBack } from '../portions/look-back.ts';

/** What an act is about. */
export const actKinds = [
  ...(['accounts', 'members', 'keys', 'webhooks', 'verifications', 'reviews', 'organisation'] as const),
] as const;
export type ActKind = (typeof actKinds)[number];

/** What a member or the operator did. It has ids, fixed words and numbers, and no value of an end user. */
export type Act = {
  at: Date;
  type: string;
  kind: ActKind;
  /** The id of the member. Null: the operator, or the product itself. */
  memberId: string | null;
  isOperator: boolean;
  /** The id of the operator, if it was one who is signed in to the console. */
  operatorId: string | null;
  /** The verification, endpoint, key, organisation or member that was changed or looked at. */
  subjectId: string;
  data: Record<string, unknown>;
};

/** `by` is the id of a member, or `operator`. */
export type WantedActs = { by?: string | undefined; kind?: ActKind | undefined };

/** The page of a search. `after` is the place of the line before it. */
type ActsPage = {
  limit: number;
  after: string | undefined;
  doneFrom?: Date | undefined;
  doneBefore?: Date | undefined;
};

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const lastSequence = 2_147_483_647;

/** The acts in an organisation that match and were done in the span, newest first, before the place `after`. */
export async function searchActs(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
  { limit, after, doneFrom: from, doneBefore, ...wanted }: WantedActs & ActsPage,
): Promise<LookedBack<Act>> {
  assertMay(caller, 'log.see');
  const acts = actsOf(caller.scope, store.db);
  return lookBack({
    ...{ limit, wanted, textOf, from: firstPlace(placeIn(after) ?? newestPlace(clock.now()), doneBefore) },
    before: (place, count) => acts.before({ place, from, limit: count }),
    placeOf: ({ createdAt: at, subjectId, sequence }) => ({ at, subjectId, sequence }),
    itemOf(line) {
      const act = actOf(line);
      return fits(act, wanted) ? act : undefined;
    },
  });
}

function actOf({ type, data, createdAt: at, subjectId }: ActLine): Act {
  const { kind, id } = data.actor as { kind: string; id?: string };
  const idOf = (wanted: string) => (kind === wanted ? (id ?? null) : null);
  const by = { memberId: idOf('member'), isOperator: kind === 'operator', operatorId: idOf('operator') };
  return { at, type, kind: kindOf(type), ...by, subjectId, data };
}

const kindOfPrefix: Readonly<Record<string, ActKind>> = {
  account: 'accounts',
  member: 'members',
  key: 'keys',
  webhook: 'webhooks',
  organisation: 'organisation',
  review: 'reviews',
};
const ofReviews = [
  'verification.assessed',
  'verification.reviewed',
  'verification.reopened',
  'evidence.viewed',
];

function kindOf(type: string): ActKind {
  if (ofReviews.includes(type)) return 'reviews';
  return kindOfPrefix[type.split('.')[0] ?? ''] ?? 'verifications';
}

const fits = ({ kind, memberId, isOperator }: Act, { by, kind: wanted }: WantedActs): boolean =>
  (by === undefined || (by === 'operator' ? isOperator : memberId === by)) &&
  (wanted === undefined || kind === wanted);

/** The clock of the database can be ahead of this machine's. */
const newestPlace = (now: Date): ActPlace => ({
  at: new Date(now.getTime() + dayMs),
  subjectId: lastId,
  sequence: lastSequence,
});

/** No line is at the returned place if the span ends there, because the span does not hold its end. */
const firstPlace = (place: ActPlace, end: Date | undefined): ActPlace =>
  end === undefined || place.at < end ? place : { at: end, subjectId: firstId, sequence: 0 };

const textOf = ({ at, subjectId, sequence }: ActPlace): string => `${at.getTime()}_${subjectId}_${sequence}`;

/** Undefined if the text is no place. */
function placeIn(text: string | undefined): ActPlace | undefined {
  const [, ms, subjectId, sequence] =
    /^(\d{1,14})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})_(\d{1,9})$/.exec(text ?? '') ?? [];
  if (ms === undefined || subjectId === undefined) return undefined;
  return { at: new Date(Number(ms)), subjectId, sequence: Number(sequence) };
}
