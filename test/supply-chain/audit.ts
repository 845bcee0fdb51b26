import { spawnSync } from 'node:child_process';
import { root } from './lockfile.ts';

/**
 * Finds known weaknesses in the packages of production. If the registry cannot be reached, the result says that the audit did not
 * run, and does not count weaknesses.
 */

type Advice = { title?: string; url?: string };
type Report = {
  message?: string;
  vulnerabilities?: Record<string, { severity: string; via: (string | Advice)[] }>;
};
export type Verdict = { exitCode: 0 | 1; lines: string[] };

const severe = ['high', 'critical'];

export function verdictOf(output: string): Verdict {
  const report = parsed(output);
  if (report?.vulnerabilities === undefined)
    return {
      exitCode: 0,
      lines: [`audit: NOT RUN. The registry gave no answer to it (${reasonOf(report)}).`],
    };
  const found = Object.entries(report.vulnerabilities);
  const bad = found.filter(([, { severity }]) => severe.includes(severity));
  return {
    exitCode: bad.length === 0 ? 0 : 1,
    lines: [
      ...found.map(([name, { severity, via }]) => `${severity}: ${name} (${titlesOf(via)})`),
      `audit: asked the registry; ${found.length} weaknesses known, ${bad.length} of them high or critical`,
    ],
  };
}

/** Returns the message of the report, without the method and the address of the request to the registry. */
const reasonOf = (report: Report | undefined) =>
  report?.message?.replaceAll(/ *-? *[A-Z]* *https?:\/\/\S+/g, '') ?? 'no JSON came';

const titlesOf = (via: (string | Advice)[]) =>
  via.map((each) => (typeof each === 'string' ? `by ${each}` : (each.title ?? each.url ?? '?'))).join('; ');

function parsed(output: string): Report | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const { exitCode, lines } = verdictOf(stdout ?? '');
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
}
