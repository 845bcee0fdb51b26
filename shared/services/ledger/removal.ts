import { timeOfUuid } from '#platform/crypto.ts';
import { verificationKeptMsMin } from '#policy/retention.ts';
import type { Entry } from './append.ts';

type Line = { subjectId: string; type: string; data: Record<string, unknown>; createdAt: Date };

/**
 * True if this line alone is left of a chain that housekeeping removed. A chain that was removed sooner than the retention allows that the
 * line names was removed by somebody else.
 */
export const isRemoval = ({ subjectId, type, data, createdAt }: Line): boolean =>
  type === ('verification.removed' satisfies Entry['type']) &&
  createdAt.getTime() - timeOfUuid(subjectId) >= (verificationKeptMsMin.get(data.what) ?? Infinity);
