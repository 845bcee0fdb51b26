import { slow } from './slow.ts';

/** A part of `npm run test:whole`: test files of one project of vitest, or one program. */
export type Part = { name: string; seconds: number } & (
  | { project: 'slow' | 'browser' | 'large'; files: string[] }
  | { script: string }
);

/** A part of an expected length beyond this is split. It leaves some room to the nine minutes that a part may take. */
const secondsMax = 440;

/** How many test files of a project run at the same time (`vitest.config.ts`). */
const atOnce = { slow: 2, browser: 1, large: 1 } as const;

const projectOf = (file: string): keyof typeof atOnce =>
  file.startsWith('test/browser/') ? 'browser' : file.startsWith('test/large/') ? 'large' : 'slow';

/** Scripts of package.json that are no tests of vitest, with their seconds on two cores. */
const scripts: Record<string, number> = { 'supply-chain': 15, 'test:interop': 60, 'test:containers': 460 };

/** Longest first, each file into the first part of its project that has room. */
function packed(seconds: Readonly<Record<string, number>>): Part[] {
  const parts: (Part & { files: string[] })[] = [];
  const files = Object.entries(seconds).sort(([, one], [, other]) => other - one);
  for (const [file, took] of files) {
    const project = projectOf(file);
    const share = took / atOnce[project];
    const fits = parts.find(
      (part) => 'project' in part && part.project === project && part.seconds + share <= secondsMax,
    );
    if (fits === undefined) parts.push({ name: project, project, files: [file], seconds: share });
    else {
      fits.files.push(file);
      fits.seconds += share;
    }
  }
  return parts.map((part) => ({ ...part, files: part.files.sort() }));
}

export const parts: readonly Part[] = [
  ...packed(slow),
  ...Object.entries(scripts).map(([script, seconds]) => ({ name: script, script, seconds })),
];
