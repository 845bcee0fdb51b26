import { type Environment, environments } from '#contract/enums.ts';
import { uuid } from '#contract/fields.ts';
import type { Caller } from '#services/caller.ts';
import { findCase } from '#services/verifications/get.ts';
import type { MemberRequest } from '../../request.ts';

/** The longest wait for a create that an older database lost and that is carried out again. */
const recordMs = 5_000;

/** A verification or an income check of the member's organisation, in whichever environment it is, and who asks there. */
export type Found = { row: VerificationRow; caller: Caller; environment: Environment };
export type VerificationRow = NonNullable<Awaited<ReturnType<typeof findCase>>>;

export async function findVerification({ ctx, callers, params }: MemberRequest): Promise<Found | undefined> {
  const id = params.id ?? '';
  if (!uuid.safeParse(id).success) return undefined;
  const reading = { ...ctx, deadlineAt: Date.now() + recordMs };
  for (const environment of environments) {
    const caller = callers[environment];
    const row = await findCase(reading, caller, { id });
    if (row !== undefined) return { row, caller, environment };
  }
  return undefined;
}
