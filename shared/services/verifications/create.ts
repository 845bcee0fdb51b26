import { Problem } from '#contract/errors.ts';
import type { CreateVerification } from '#contract/verification.ts';
import type { Recorded } from '#contract/workflows.ts';
import { problemOf, Unavailable } from '#platform/failures.ts';
import type { Place } from '#platform/limits/admission.ts';
import type { VerificationStart } from '#platform/temporal/starts.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { decisionAtOnce } from '#policy/verdicts/sandbox.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { eidContractOf } from '#store/organisations/eid-contracts.ts';
import { type CreateOperation, requestsOf } from '#store/requests.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import type { NewPaper } from '../personal/stored-papers.ts';
import { recordOpen } from '../recording/record-create.ts';
import { type Answer, type GivenAnswer, openAnswer } from '../requests/answer.ts';
import { claimRequest, findAnswered } from '../requests/claim.ts';
import { askThenRead, readUntil } from '../runs/ask-then-read.ts';
import type { StoredCreate } from '../runs/stored-create.ts';
import { answerAbout } from './answer-about.ts';

/**
 * Starts a verification (specification 4.1; decision 21). The request is claimed first. Then it is carried out: by its workflow, if that
 * completes the verification at once, else here (decision 42). Whoever carries it out stores the answer for the caller. After a crash, a
 * repetition with the same Idempotency-Key continues with the same verification.
 *
 * Refused before anything is done: a method that needs a contract which the organisation does not have (decision 45), a paused organisation, and what is more
 * than the service can carry (decision 41).
 */
export const createVerification = (
  ctx: RequestContext,
  caller: Caller,
  input: CreateVerification,
): Promise<GivenAnswer> => createCounted(ctx, caller, { operation: 'create_verification', input });

/** Starts a verification or an income check, by the same rules. */
export async function createCounted(
  ctx: RequestContext,
  caller: Caller,
  wanted: WantedCreate,
): Promise<GivenAnswer> {
  assertMay(caller, 'verifications.create');
  const { environment } = caller.scope;
  const count = (outcome: string) => ctx.instruments.creates.add(1, { outcome, environment });
  try {
    const answer = await create(ctx, caller, wanted);
    count(answer.replayed ? 'replayed' : 'created');
    return answer;
  } catch (error) {
    count(problemOf(error).code);
    throw error;
  }
}

type WantedCreate = {
  operation: CreateOperation;
  input: StoredCreate;
  /** The documents that came with the request. */
  papers?: readonly NewPaper[];
};

async function create(ctx: RequestContext, caller: Caller, wanted: WantedCreate): Promise<GivenAnswer> {
  const { scope } = caller;
  const { input } = wanted;
  const isOpen =
    verificationMethods[input.method].unavailable[scope.environment] === undefined ||
    (await eidContractOf(scope, ctx.store.db).works());
  if (!isOpen) return answeredBefore(ctx, scope, 'method_not_available');
  if (ctx.isPaused) return answeredBefore(ctx, scope, 'organisation_paused');
  const place = ctx.admission[staysOpen(scope, input) ? 'pending' : 'completing'].enter(scope.orgId);
  if (place === undefined) return answeredBefore(ctx, scope, 'overloaded');
  try {
    return await claimAndCarryOut(ctx, caller, wanted, place);
  } finally {
    place.leave();
  }
}

const staysOpen = ({ environment }: OrgScope, input: StoredCreate): boolean =>
  decisionAtOnce(environment, input) === null;

/** A repetition of a request that has an answer gets it, although nothing new is begun. */
async function answeredBefore(
  ctx: RequestContext,
  scope: OrgScope,
  otherwise: 'method_not_available' | 'organisation_paused' | 'overloaded',
): Promise<GivenAnswer> {
  const earlier = await findAnswered(ctx, ctx.store.reads, scope);
  if (earlier === undefined) throw new Problem(otherwise);
  return { ...(earlier.answer ?? (await asItIsNow(ctx, scope, earlier.id))), replayed: true };
}

async function claimAndCarryOut(
  ctx: RequestContext,
  caller: Caller,
  { papers, ...wanted }: WantedCreate,
  place: Place,
): Promise<GivenAnswer> {
  const claimed = await claimRequest(ctx, ctx.store.db, caller, wanted);
  const { scope } = caller;
  const { id, isRepeat } = claimed;
  if (claimed.answer !== undefined) return { ...claimed.answer, replayed: true };
  if (claimed.isErased) return { ...(await asItIsNow(ctx, scope, id)), replayed: true };

  place.count();
  const stored = claimed.input as StoredCreate;
  const order = { verificationId: id, ...scope, method: stored.method };
  const answer = await (staysOpen(scope, stored)
    ? recordThenStart(ctx, scope, order, papers)
    : startAndRecord(ctx, scope, order));
  return { ...answer, replayed: isRepeat };
}

const readAnswer = async (ctx: RequestContext, scope: OrgScope, id: string): Promise<Answer | undefined> =>
  openAnswer(ctx, id, await requestsOf(scope, ctx.store.reads).findAnswer(id));

/** Nobody waits for a worker, and not long for Temporal: the row is committed, and the sweep starts a run that does not start. */
async function recordThenStart(
  ctx: RequestContext,
  scope: OrgScope,
  order: VerificationStart,
  papers: readonly NewPaper[] | undefined,
): Promise<Answer> {
  const recorded = await recordOpen(ctx, scope, order.verificationId, papers);
  const [answer] = await Promise.all([
    readAnswer(ctx, scope, order.verificationId),
    isOpen(recorded) && ctx.runStarts.ask(order),
  ]);
  if (answer === undefined) throw new Unavailable('database');
  return answer;
}

const isOpen = (recorded: Recorded | undefined): boolean =>
  recorded?.status === 'pending' || recorded?.status === 'in_progress';

/** The workflow has the row written with the verdict. */
async function startAndRecord(
  ctx: RequestContext,
  scope: OrgScope,
  order: VerificationStart,
): Promise<Answer> {
  const read = () => readAnswer(ctx, scope, order.verificationId);
  const asked = ctx.temporal.openVerification(order, ctx.deadlineAt);
  return askThenRead(asked, async (failed) => {
    const found = await read();
    return found === undefined && !failed ? recordAgain(ctx, order, read) : found;
  });
}

/** The answer of a create was erased with its person (decision 43). */
async function asItIsNow(ctx: RequestContext, scope: OrgScope, id: string): Promise<Answer> {
  return { status: 201, body: JSON.stringify(await answerAbout(ctx, scope, id)) };
}

/**
 * If Temporal reports that the verification is recorded, but the database does not have it, the database was restored to an older
 * state. Temporal never carries out an answered update again, so a new run replaces the old run.
 */
async function recordAgain(
  ctx: RequestContext,
  order: VerificationStart,
  read: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  await ctx.temporal.replaceVerification(order);
  return readUntil(read, ctx.deadlineAt);
}
