import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequirementId, requirements } from '../requirements.ts';
import { gateExcludes } from './slow.ts';

const root = join(import.meta.dirname, '../..');

const sources: readonly { file: string; source: string }[] = globSync('test/**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules'],
})
  .filter((file) => !file.startsWith('test/requirements.'))
  .sort()
  .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));

/** The ids inside the parentheses of calls of `covers`. */
export const citedIn = (source: string): string[] =>
  [...source.matchAll(/\bcovers\(([^)]*)\)/g)].flatMap(([, ids = '']) =>
    [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => id),
  );

/** All ids that any test cites. */
export const cited = (): string[] => sources.flatMap(({ source }) => citedIn(source));

const isTest = (file: string) => file.endsWith('.test.ts');

/** Each promise of the specification with the test files that cite it, those of the gate first. */
export function promises(): { id: RequirementId; behaviour: string; gate: string[]; whole: string[] }[] {
  const files = new Map<string, string[]>();
  for (const { file, source } of sources)
    for (const id of new Set(citedIn(source))) files.set(id, [...(files.get(id) ?? []), file]);
  return requirements.map(({ id, behaviour }) => {
    const all = files.get(id) ?? [];
    const whole = all.filter(gateExcludes);
    const gate = all.filter((file) => !whole.includes(file));
    return { id, behaviour, gate: [...gate.filter(isTest), ...gate.filter((file) => !isTest(file))], whole };
  });
}
