import { Problem } from '#contract/errors.ts';
import type { CreateIncomeCheck } from '#contract/income/check.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { newPapers } from '../personal/stored-papers.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { createCounted } from '../verifications/create.ts';
import { requireRecorded } from '../verifications/get.ts';

/**
 * Starts an income check, by the rules of a verification (specification 4.1, rule 6; decision 21). Throws `invalid_parameter` if the
 * verification that it names is unknown.
 */
export async function createIncomeCheck(
  ctx: RequestContext,
  caller: Caller,
  input: CreateIncomeCheck,
): Promise<GivenAnswer> {
  assertMay(caller, 'verifications.create');
  const { documents = [], ...rest } = input;
  const { verification_id: linked } = rest;
  if (linked !== undefined) await requireRecorded(ctx, caller.scope, linked).catch(asParameter);
  const papers = newPapers(documents.map(({ content_base64: file }) => file));
  const stored = { ...rest, method: 'income', ...(papers.length > 0 && { papers: papers.length }) } as const;
  return createCounted(ctx, caller, { operation: 'create_income_check', input: stored, papers });
}

function asParameter(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'verification_not_found') throw error;
  throw new Problem(
    'invalid_parameter',
    'verification_id must be the id of a verification of this environment.',
  );
}
