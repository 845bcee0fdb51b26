import type { Language } from '#contract/enums.ts';
import { en } from './texts-verifications-en.ts';
import { nl } from './texts-verifications-nl.ts';

export type VerificationTexts = typeof en;
export const verificationTexts: Record<Language, VerificationTexts> = { en, nl };
