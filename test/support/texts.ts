import { texts } from '#api/verify/texts.ts';

/** What the pages say, for tests in a package of their own: there the product's subpaths lead nowhere. */
export const pageTexts = texts;
export type PageLanguage = keyof typeof texts;
