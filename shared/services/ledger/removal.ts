import { timeOfUuid } from '#platform/crypto/crypto.ts';
import { verificationKeptMsMin } from '#policy/retention.ts';
import type { Entry } from './append.ts';

type Line = { subjectId: string; type: string; data: Record<string, unknown>; createdAt: Date };

/**
 * True if this line is the one that housekeeping leaves of a chain that it removes. The line names the retention. If the chain was removed
 * sooner than this retention allows, somebody else removed it.
 */
export const isRemoval = ({ subjectId, type, data, createdAt }: Line): boolean =>
  type === ('verification.removed' satisfies Entry['type']) &&
  createdAt.getTime() - timeOfUuid(subjectId) >= (verificationKeptMsMin.get(data.what) ?? Infinity);
