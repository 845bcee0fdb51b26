import { join } from 'node:path';
import { assetsIn, nameOf } from '../pages/assets.ts';

/** The files below /verify/assets/ by name. */
export const assets = assetsIn(join(import.meta.dirname, 'assets'));

/** The name of a file with its digest. `base` is the path from the page to /verify/. */
export const addressOf = (base: string, name: string): string => `${base}assets/${nameOf(assets, name)}`;
