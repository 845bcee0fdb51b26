import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);

/** The product's own version; the interface's is 1.0.0 whatever this says (specification 9; decision 2). */
export const version: string = JSON.parse(readFileSync(file, 'utf8')).version;
