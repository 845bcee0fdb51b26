import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The code of the recipes in `docs/contributing.md` compiles where it stands. A block names its file (`ts in=FILE`), and the test puts it
 * at the end of a copy of this file, or before the line that begins with the text `before=TEXT`. A block can use what earlier blocks
 * export without importing it.
 */

const root = join(import.meta.dirname, '../../..');
const folder = '.build/recipes';
const read = (file: string) => readFileSync(join(root, file), 'utf8');

type Block = { file: string; before: string | undefined; code: string };

const fenced = /^( *)```ts\b(?: in=(\S+)(?: before=(\S+))?)?(.*)\n([\s\S]*?)^\1```$/gm;

const blocksIn = (markdown: string): Block[] =>
  [...markdown.matchAll(fenced)].map(([, indent = '', file = 'no file', before, rest = '', text = '']) => {
    if (rest !== '') throw new Error(`a block of code has more than its file: ${rest}`);
    return { file, before, code: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });

const exported = (code: string): string[] =>
  [...code.matchAll(/^export (?:async )?(?:const|function|class|type) (\w+)/gm)].map(([, name = '']) => name);

const declares = (code: string, name: string) =>
  new RegExp(String.raw`^import\b[^;]*\b${name}\b|^export (?:async )?\w+ ${name}\b`, 'm').test(code);

/** Puts the code before the one line that begins with the text, at its margin if there is one. */
function inserted(source: string, { file, before, code }: Block): string {
  if (before === undefined) return `${source}\n${code}`;
  const lines = source.split('\n');
  const placesOf = (begins: (line: string) => boolean) =>
    lines.flatMap((line, at) => (begins(line) ? [at] : []));
  const atMargin = placesOf((line) => line.startsWith(before));
  const places = atMargin.length > 0 ? atMargin : placesOf((line) => line.trimStart().startsWith(before));
  if (places.length !== 1) throw new Error(`${file} has ${places.length} lines that begin with ${before}`);
  return lines.toSpliced(places[0] ?? 0, 0, code).join('\n');
}

/** Returns the text of each file that the blocks change, by its name. */
function changedFiles(blocks: readonly Block[]): Map<string, string> {
  const texts = new Map<string, string>();
  const homes = new Map<string, string>();
  for (const block of blocks) {
    let text = inserted(texts.get(block.file) ?? read(block.file), block);
    for (const [name, home] of homes)
      if (new RegExp(String.raw`\b${name}\b`).test(block.code) && !declares(text, name))
        text = `import { ${name} } from '#${home.replace(/^shared\//, '')}';\n${text}`;
    texts.set(block.file, text);
    for (const name of exported(block.code)) homes.set(name, block.file);
  }
  return texts;
}

const subpaths: Record<string, string> = JSON.parse(read('package.json')).imports;

/** The file of the repository that an import names. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [name = '', ...path] = specifier.split('/');
  return posix.join(subpaths[`${name}/*`] ?? '', '..', ...path);
}

/** Names each import from the copy: another copy if there is one, else the file of the repository. */
const fromCopy = (file: string, text: string, copies: ReadonlySet<string>): string =>
  text.replaceAll(/(?<=\bfrom ')[#.][^']*(?=')/g, (specifier) => {
    const target = targetOf(file, specifier);
    const to = copies.has(target) ? posix.join(folder, target) : target;
    return posix.relative(posix.join(folder, posix.dirname(file)), to).replace(/^(?!\.)/, './');
  });

/** Compiles copies of the files with the blocks in them. Returns the first line of each error. */
function errorsIn(blocks: readonly Block[]): string[] {
  const files = changedFiles(blocks);
  const names = new Set(files.keys());
  rmSync(join(root, folder), { recursive: true, force: true });
  for (const [file, text] of files) {
    const path = join(root, folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fromCopy(file, text, names));
  }
  const config = { extends: '../../tsconfig.json', include: ['.'], exclude: [] };
  writeFileSync(join(root, folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(
    process.execPath,
    [compiler, '-p', folder, '--checkers', '1', '--pretty', 'false'],
    { cwd: root, encoding: 'utf8' },
  );
  const errors = stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error /.test(line));
  if (status !== 0 && errors.length === 0) throw new Error(`the compiler ended with ${status}: ${stdout}`);
  return errors;
}

const recipes = blocksIn(read('docs/contributing.md'));

/** A wrong block, in a file of its own. If no error is found in it, the compiler did not look. */
const wrong: Block = {
  file: 'shared/policy/methods/idin.ts',
  before: undefined,
  code: "export const wrong: VerificationMethod = { resource: 'verification' };",
};

/** It takes some seconds, and several times longer on a busy machine. */
const timeoutMs = 120_000;

test('the code of each recipe compiles where it stands', { timeout: timeoutMs }, () => {
  expect(recipes.length).toBeGreaterThan(9);
  expect(recipes.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  expect(recipes.map(({ file }) => file)).not.toContain(wrong.file);
  expect(errorsIn([...recipes, wrong])).toEqual([
    expect.stringMatching(
      new RegExp(String.raw`^${folder}/${wrong.file}\(.*is missing the following properties`),
    ),
  ]);
});

test('the page counts its recipes', () => {
  const page = read('docs/contributing.md');
  const count = page.match(/^## Recipe \d+:/gm)?.length ?? 0;
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const [, said, links = ''] = /^This page has (\w+) recipes: (.*?) Each names/ms.exec(page) ?? [];
  expect(said).toBe(words[count]);
  expect(links.match(/#recipe-\d+/g)).toEqual(Array.from({ length: count }, (_, at) => `#recipe-${at + 1}`));
});
