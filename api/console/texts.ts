import type { Language } from '#contract/enums.ts';
import { en, type Texts } from './texts-en.ts';
import { nl } from './texts-nl.ts';

export type { Texts };

/** A sentence that a page shows once, after something was done. */
export type Notice = keyof Texts['notices'];

/** The texts of the console. */
export const texts: Record<Language, Texts> = { nl, en };
