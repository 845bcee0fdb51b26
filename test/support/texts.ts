import { texts } from '#api/verify/texts.ts';

/** The texts of the pages, for the package of the browser tests, which cannot use the import paths of the product. */
export const pageTexts = texts;
export type PageLanguage = keyof typeof texts;
