import { texts } from '#api/verify/texts/texts.ts';

export { cameraAccess } from '#api/verify/texts/camera-access.ts';

/**
 * The texts of the pages. The package of the browser tests needs this file, since it cannot use the import paths of the product.
 */
export const pageTexts = texts;
export type PageLanguage = keyof typeof texts;
