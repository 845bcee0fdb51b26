import { memberLimits } from '#contract/members.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { randomLetters } from '#platform/crypto/random.ts';

/** Without letters and digits that are read for one another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 3;
const groupLength = 5;

/** Codes of 74 bits for the day on which the phone is lost. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: memberLimits.recoveryCodes }, () =>
    Array.from({ length: groups }, () => randomLetters(letters, groupLength)).join('-'),
  );

/** The hash of a code as somebody typed it, with or without hyphens. It is bound to the member. */
export const hashOfRecoveryCode = (memberId: string, typed: string): Buffer =>
  sha256(`${memberId}/${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
