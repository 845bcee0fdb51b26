import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const product = ['api', 'worker', 'shared', 'activities', 'workflows', 'package.json', 'package-lock.json'];

/** Replaces the text `from` by `to` in a file of the product. */
export type Change = { file: string; from: string; to: string };

/** Copies the product, and the other `parts` of the repository, to a new folder and changes the copy. Returns the folder. */
export async function changedProduct(
  changes: readonly Change[],
  parts: readonly string[] = [],
): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'verification-changed-'));
  for (const part of [...product, ...parts]) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(root, part), join(copy, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const change of changes) await applyChange(copy, change);
  return copy;
}

/** Makes one change in a copy of the product. */
export async function applyChange(copy: string, { file, from, to }: Change): Promise<void> {
  const source = await readFile(join(copy, file), 'utf8');
  if (!source.includes(from)) throw new Error(`${file} does not contain: ${from}`);
  await writeFile(
    join(copy, file),
    source.replace(from, () => to),
  );
}
