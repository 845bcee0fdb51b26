import { join } from 'node:path';
import { assetsIn } from '../pages/assets.ts';

const names = ['flow.css', 'flow.js', 'passport_page.svg', 'card_front.svg', 'card_back.svg', 'selfie.svg'];

/** The files below /verify/assets/ by name. */
export const assets = assetsIn(join(import.meta.dirname, 'assets'), names);
