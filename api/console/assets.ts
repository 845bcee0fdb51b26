import { join } from 'node:path';
import { assetsIn } from '../pages/assets.ts';
import { assets as hosted } from '../verify/assets.ts';

/** The specimens of sandbox, which a review shows instead of pictures. */
const specimens = ['passport_page.svg', 'card_front.svg', 'card_back.svg', 'selfie.svg'];

/** The files below /assets/ by name. */
export const assets = new Map([
  ...assetsIn(join(import.meta.dirname, 'assets')),
  ...[...hosted].filter(([name]) => specimens.includes(name)),
]);
