import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);

/** The version of the product. The API has a separate version, 1.0.0 (specification 9; decision 2). */
export const version: string = JSON.parse(readFileSync(file, 'utf8')).version;
