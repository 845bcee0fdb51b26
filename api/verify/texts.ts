import type { Language } from '#contract/enums.ts';
import type { Texts } from './text-fields.ts';
import { en } from './texts-en.ts';
import { nl } from './texts-nl.ts';

/** The texts of the hosted pages, in plain language (B1). */
export const texts: Record<Language, Texts> = { nl, en };
