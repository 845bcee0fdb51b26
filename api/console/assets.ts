import { join } from 'node:path';
import { assetsIn } from '../pages/assets.ts';

/** The files below /assets/ by name. */
export const assets = assetsIn(join(import.meta.dirname, 'assets'));
