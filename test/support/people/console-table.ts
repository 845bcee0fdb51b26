/**
 * The table of pages of the console. The package of the browser tests needs this file, since it cannot use the import paths of the product.
 */
export { consolePages } from '#api/console/pages.ts';
