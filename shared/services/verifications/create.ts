import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '#contract/errors.ts';
import { type CreateVerification, Verification } from '#contract/verification.ts';
import { problemOf } from '#platform/failures.ts';
import type { VerificationStart } from '#platform/temporal-starts.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { requestsOf } from '#store/requests.ts';
import type { CallerContext } from '../context.ts';
import { type Answer, type GivenAnswer, openAnswer } from '../requests/answer.ts';
import { claimRequest } from '../requests/claim.ts';
import { askThenRead } from './ask-then-read.ts';
import { requireVerification } from './get.ts';
import { verificationView } from './view.ts';

/**
 * Starts a verification (specification 4.1; decision 21). The request is claimed first. Then the workflow carries it out and stores
 * the answer for the caller. A method that the environment does not have is refused before (decision 45). After a crash, a repetition with the same Idempotency-Key continues with the same verification.
 */
export async function createVerification(
  ctx: CallerContext,
  input: CreateVerification,
): Promise<GivenAnswer> {
  const count = (outcome: string) =>
    ctx.instruments.creates.add(1, { outcome, environment: ctx.scope.environment });
  try {
    const answer = await create(ctx, input);
    count(answer.replayed ? 'replayed' : 'created');
    return answer;
  } catch (error) {
    count(problemOf(error).code);
    throw error;
  }
}

async function create(ctx: CallerContext, input: CreateVerification): Promise<GivenAnswer> {
  if (verificationMethods[input.method].unavailable[ctx.scope.environment] !== undefined)
    throw new Problem('method_not_available');
  const claimed = await claimRequest(ctx, ctx.store.db, { operation: 'create_verification', input });
  const { id, isRepeat } = claimed;
  if (claimed.answer !== undefined) return { ...claimed.answer, replayed: true };
  if (claimed.isErased) return { ...(await asItIsNow(ctx, id)), replayed: true };

  const { method } = claimed.input as CreateVerification;
  const order = { verificationId: id, ...ctx.scope, method };
  const asked = ctx.temporal.openVerification(order, ctx.deadlineAt);
  const read = async () => openAnswer(ctx, id, await requestsOf(ctx.scope, ctx.store.db).findAnswer(id));
  const answer = await askThenRead(asked, async (failed) => {
    const found = await read();
    return found === undefined && !failed ? recordAgain(ctx, order, read) : found;
  });
  return { ...answer, replayed: isRepeat };
}

/** The answer of a create was erased with its person (decision 43). */
async function asItIsNow(ctx: CallerContext, id: string): Promise<Answer> {
  const verification = verificationView(ctx, await requireVerification(ctx, id));
  return { status: 201, body: JSON.stringify(Verification.parse(verification)) };
}

const readEveryMs = 100;

/**
 * If Temporal reports that the verification is recorded, but the database does not have it, the database was restored to an older
 * state. Temporal never carries out an answered update again, so a new run replaces the old run.
 */
async function recordAgain(
  ctx: CallerContext,
  order: VerificationStart,
  read: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  await ctx.temporal.replaceVerification(order);
  let answer = await read();
  while (answer === undefined && Date.now() + readEveryMs < ctx.deadlineAt) {
    await pause(readEveryMs);
    answer = await read();
  }
  return answer;
}
