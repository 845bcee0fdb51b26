import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const pico = createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css');
const ours = ['flow.css', 'flow.js', 'passport_page.svg', 'card_front.svg', 'card_back.svg', 'selfie.svg'];

/** The files below /verify/assets/ by name. */
export const assets: ReadonlyMap<string, { type: string; bytes: Buffer }> = new Map(
  [
    ['pico.css', pico] as const,
    ...ours.map((name) => [name, join(import.meta.dirname, 'assets', name)] as const),
  ].map(([name, file]) => [name, { type: types[extname(name)] ?? '', bytes: readFileSync(file) }]),
);
