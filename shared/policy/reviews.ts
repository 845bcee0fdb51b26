import type { Environment, Method, ReviewOutcome, StoredKind } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { verificationMethods } from './methods/table.ts';
import { type ReasonId, reasons } from './reasons.ts';
import type { Assessed } from './reviewer-reasons.ts';
import { assuranceOf } from './verdicts/assurance.ts';

/** What a reviewer has to go by: pictures, a meeting outside the flow, or nothing because the pictures are gone. */
export type Basis = 'evidence' | 'other_way' | 'gone';

/** `isWhole` is true if nothing is missing of what the method verifies. */
export type Grounds = { basis: Basis; about: readonly ReviewerAbout[]; isWhole: boolean };

type ReviewerAbout = Assessed | Exclude<Basis, 'evidence'>;

/** `kinds` are the pictures and answers of banks that are stored. */
type Subject = { environment: Environment; reasonIds: readonly string[]; kinds: readonly StoredKind[] };

/**
 * What there is to look at. Sandbox stores no pictures, so a reviewer sees specimens. Whoever asked for another way left no pictures
 * (decision 47). A picture can be missing, as that of a document that could not be masked: then nobody assesses what it would show.
 */
export function groundsOf(method: Method, { environment, reasonIds, kinds }: Subject): Grounds {
  if (reasonIds.includes('other_way_asked' satisfies ReasonId))
    return { basis: 'other_way', about: ['other_way'], isWhole: true };
  const needed = neededBy(method);
  if (environment === 'sandbox') return { basis: 'evidence', about: needed, isWhole: true };
  const found = needed.filter((each) =>
    shownBy[each].every((group) => group.some((kind) => kinds.includes(kind))),
  );
  if (found.length === needed.length) return { basis: 'evidence', about: found, isWhole: true };
  return { basis: kinds.length > 0 ? 'evidence' : 'gone', about: [...found, 'gone'], isWhole: false };
}

const neededBy = (method: Method): Assessed[] =>
  verificationMethods[method].consents.flatMap((item): Assessed[] =>
    item === 'face' ? ['face', 'likeness'] : [item],
  );

const document: readonly StoredKind[] = ['passport_page', 'card_front', 'masked_front'];

/**
 * The evidence that a reviewer needs in order to assess something: of each inner list, at least one kind must be stored. The likeness needs
 * the selfie and a picture of the document's portrait.
 */
const shownBy: Record<Assessed, readonly (readonly StoredKind[])[]> = {
  document: [document],
  face: [['selfie']],
  likeness: [['selfie'], [...document, 'portrait']],
  bank: [['bank']],
  income: [['papers']],
};

/** The reasons that a reviewer can choose from, in the order of the catalogue. Nobody approves what is not there in whole. */
export function reviewerReasons({ about, isWhole }: Grounds, outcome: ReviewOutcome): ReasonId[] {
  if (outcome === 'approved' && !isWhole) return [];
  const abouts: readonly string[] = about;
  return Object.entries(reasons).flatMap(([id, reason]) =>
    reason.audience === 'reviewer' && reason.outcome === outcome && abouts.includes(reason.about)
      ? [id as ReasonId]
      : [],
  );
}

/**
 * True if a reviewer can give these reasons for this outcome. An approval confirms everything that the method verifies, so it names all
 * reasons to approve. A rejection needs one.
 */
export function fits(
  given: readonly string[],
  outcome: ReviewOutcome,
  offered: readonly ReasonId[],
): boolean {
  const isKnown = given.every((id) => offered.some((each) => each === id));
  const needed = outcome === 'approved' ? offered.length : 1;
  return isKnown && given.length > 0 && new Set(given).size === given.length && given.length >= needed;
}

/** Reasons of the machine that stay true whatever a reviewer found. */
const lasting: readonly string[] = ['bank_simulated' satisfies ReasonId];

type Vote = { outcome: ReviewOutcome; reasonIds: readonly string[] };

/**
 * True if the last of these decisions ends the review (decision 49). Of two members who differ neither does; the third decides. `eyes` is
 * 1 or 2.
 */
export function concludes(eyes: number, decisions: readonly Pick<Vote, 'outcome'>[]): boolean {
  const [first, second] = decisions;
  if (decisions.length < eyes) return false;
  return decisions.length !== 2 || first?.outcome === second?.outcome;
}

/**
 * The verdict after the review (decisions 9 and 10). The last decision gives the outcome. The reasons are those of all members who decided
 * so, and those of the machine that no reviewer can settle. `decisions` are in their order, and the last one ends the review.
 */
export function reviewedVerdict(method: Method, machine: Decision, decisions: readonly Vote[]): Decision {
  const outcome = decisions.at(-1)?.outcome ?? 'rejected';
  const given = decisions.filter((each) => each.outcome === outcome).flatMap(({ reasonIds }) => reasonIds);
  return {
    outcome,
    assuranceLevel: assuranceOf(method, outcome),
    reasonIds: [...new Set(given), ...machine.reasonIds.filter((id) => lasting.includes(id))],
    checks: machine.checks,
    reviewed: true,
  };
}

/** One member invited, reset or gave a role to another, within `fourEyesDays`. */
export type AccessGiven = { to: string; by: string };

/**
 * True if one of these two members could act for the other: one gave the other access, or gave it to who did. Whoever makes
 * a link can use it too. So the two are not four eyes.
 */
export const couldActForOther = (given: readonly AccessGiven[], one: string, other: string): boolean =>
  isAbove(given, one, other) || isAbove(given, other, one);

function isAbove(given: readonly AccessGiven[], above: string, below: string): boolean {
  const reached = new Set([below]);
  for (const member of reached) for (const { to, by } of given) if (to === member) reached.add(by);
  return above !== below && reached.has(above);
}
