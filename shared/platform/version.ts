import { readFileSync } from 'node:fs';

const manifest: { version: string; dependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version of the product. The API has a separate version, 1.0.0 (specification 9; decision 2). */
export const version: string = manifest.version;

/** The names and versions of some libraries, as package.json pins them. */
export const partVersions = (...names: string[]): string[] =>
  names.map((name) => `${name} ${manifest.dependencies[name]}`);
