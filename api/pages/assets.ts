import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { Problem } from '#contract/errors.ts';
import type { ApiContext } from '../state.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const pico = createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css');

/** The files that pages load, by name. */
export type Assets = ReadonlyMap<string, { type: string; bytes: Buffer }>;

/** Reads the files of these names in the folder, and the style sheet that all pages share. */
export const assetsIn = (folder: string, names: readonly string[]): Assets =>
  new Map(
    [
      ['pico.css', withoutIcons(pico)] as const,
      ...names.map((name) => [name, readFileSync(join(folder, name))] as const),
    ].map(([name, bytes]) => [name, { type: types[extname(name)] ?? '', bytes }]),
  );

/** The style sheet has its icons as data: addresses, which the content security policy of the pages does not allow. */
const withoutIcons = (file: string): Buffer =>
  Buffer.from(readFileSync(file, 'utf8').replaceAll(/url\("data:[^"]*"\)/g, 'none'));

export const sendAssetOf =
  (assets: Assets) =>
  (koa: ApiContext): void => {
    const asset = assets.get(koa.params.name ?? '');
    if (asset === undefined) throw new Problem('not_found');
    koa.set('Cache-Control', 'public, max-age=3600');
    koa.type = asset.type;
    koa.body = asset.bytes;
  };
