import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export type Block = {
  name: string | undefined;
  /** The name of a block that needs containers. */
  containers: string | undefined;
  code: string;
};

/** The blocks of all pages that tell an operator what to do. */
export const runbookBlocks = (): Block[] =>
  ['docs/operations.md', ...globSync('docs/operations/*.md', { cwd: root }).sort()].flatMap(shellBlocks);

/**
 * Returns the fenced blocks of shell commands of a page, in order. A name follows the language, as in `sh name=back-up`, or
 * `sh containers=deploy` for commands that need containers.
 */
export function shellBlocks(page: string): Block[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opening = /^( *)```sh(?: (name|containers)=([\w-]+))?$/.exec(lines[at] ?? '');
    const [, indent = '', kind, name] = opening ?? [];
    if (!/^ *```sh/.test(lines[at] ?? '')) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    const code = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    blocks.push({
      name: kind === 'name' ? name : undefined,
      containers: kind === 'containers' ? name : undefined,
      code: code.join('\n'),
    });
    at = end;
  }
  return blocks;
}
