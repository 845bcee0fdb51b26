import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Problem } from '#contract/errors.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import type { ApiContext } from '../state.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file that pages load. `digest` is a part of its name, so a browser may keep it for good. */
export type Asset = { type: string; digest: string } & Record<Encoding, Buffer>;
export type Assets = ReadonlyMap<string, Asset>;

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

export function assetOf(name: string, identity: Buffer): Asset {
  const compressed = { br: brotliCompressSync(identity), gzip: gzipSync(identity, { level: 9 }), identity };
  return { type: types[extname(name)] ?? '', digest: digestOf(identity), ...compressed };
}

const digestOf = (content: Buffer): string => sha256Hex(content).slice(0, 12);

const baseFolder = join(import.meta.dirname, 'assets');

/**
 * Reads the files of a folder, and joins its style sheets behind the shared one: `style.css` is all that a page needs. The style sheets
 * follow each other by their names.
 */
export function assetsIn(folder: string): Assets {
  const names = readdirSync(folder).sort();
  const read = (name: string) => readFileSync(join(folder, name));
  const sheets = names.filter((name) => name.endsWith('.css'));
  const style = Buffer.concat([readFileSync(join(baseFolder, 'base.css')), ...sheets.map(read)]);
  const drawings = names.filter((name) => name.endsWith('.svg'));
  return new Map([
    ['style.css', assetOf('style.css', style)],
    ['icon.svg', assetOf('icon.svg', readFileSync(join(baseFolder, 'icon.svg')))],
    ...drawings.map((name) => [name, assetOf(name, read(name))] as const),
    ...scriptsOf(
      names.filter((name) => name.endsWith('.js')).map((name) => [name, withoutComments(read(name))]),
    ),
  ]);
}

/** A phone on a slow line needs no comments. Those beside code stay. */
const withoutComments = (script: Buffer): Buffer =>
  Buffer.from(String(script).replace(/^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm, ''));

/** How a script names another one that it imports. */
const importOf = (name: string) => `'./${name}'`;

/**
 * The scripts of a page import each other. So they have one digest, which is also in their imports. A browser never mixes the modules of
 * two versions.
 */
function scriptsOf(scripts: readonly (readonly [name: string, Buffer])[]): [string, Asset][] {
  const digest = digestOf(Buffer.concat(scripts.map(([, script]) => script)));
  return scripts.map(([name, script]) => {
    const withDigests = scripts.reduce(
      (text, [imported]) => text.replaceAll(importOf(imported), importOf(withDigest(imported, { digest }))),
      script.toString('utf8'),
    );
    return [name, { ...assetOf(name, Buffer.from(withDigests)), digest }];
  });
}

/** The name under which a browser keeps the file for good, with its digest before the ending. */
export function nameOf(assets: Assets, name: string): string {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`there is no asset ${name}`);
  return withDigest(name, asset);
}

export const withDigest = (name: string, { digest }: Pick<Asset, 'digest'>): string =>
  `${name.slice(0, -extname(name).length)}.${digest}${extname(name)}`;

const named = /^([\w-]+)(?:\.([0-9a-f]{12}))?(\.[a-z]+)$/;

/** Sends a file by its name, with or without the digest. `also` finds those that are no files. */
export const sendAssetOf =
  (assets: Assets, also: (name: string) => Asset | undefined = () => undefined) =>
  (koa: ApiContext): void => {
    const [, stem = '', digest, extension = ''] = named.exec(koa.params.name ?? '') ?? [];
    const asset = assets.get(stem + extension) ?? also(stem + extension);
    if (asset === undefined) throw new Problem('not_found');
    koa.set('Cache-Control', cachingOf(asset, digest));
    sendAsset(koa, asset);
  };

/** During an upgrade, a page of one version may ask another version for its files. They are served, but not kept. */
function cachingOf(asset: Asset, digest: string | undefined): string {
  if (digest === undefined) return 'public, max-age=3600';
  return digest === asset.digest ? forever : 'no-store';
}

export const forever = 'public, max-age=31536000, immutable';

function sendAsset(koa: ApiContext, asset: Asset): void {
  const encoding = encodings.find((each) => koa.acceptsEncodings(each) === each) ?? 'identity';
  koa.vary('Accept-Encoding');
  if (encoding !== 'identity') koa.set('Content-Encoding', encoding);
  koa.type = asset.type;
  koa.body = asset[encoding];
}
