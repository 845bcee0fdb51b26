import { type Environment, environments } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import { evenIfLost } from '#services/verifications/even-if-lost.ts';
import { requireCase } from '#services/verifications/get.ts';
import type { MemberRequest } from './request.ts';

/** A create that an older database lost is waited for so long. */
const recordMs = 5_000;

/** A verification or an income check of the member's organisation, in whichever environment it is. */
export type Found = { row: VerificationRow; scope: Scope; environment: Environment };
export type VerificationRow = Awaited<ReturnType<typeof requireCase>>;
type Scope = MemberRequest['member']['scopes'][Environment];

export async function findVerification({ ctx, member, params }: MemberRequest): Promise<Found | undefined> {
  const id = params.id ?? '';
  if (!uuid.safeParse(id).success) return undefined;
  const deadlineAt = Date.now() + recordMs;
  for (const environment of environments) {
    const scope = member.scopes[environment];
    const reading = { ...ctx, deadlineAt };
    const row = await evenIfLost(reading, scope, id, () => requireCase(ctx, scope, id)).catch(unlessUnknown);
    if (row !== undefined) return { row, scope, environment };
  }
  return undefined;
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'verification_not_found') throw error;
}
