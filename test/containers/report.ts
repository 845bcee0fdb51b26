import { cellsOf } from './kernel.ts';
import type { View } from './steps/step.ts';

const intro = `# A run in containers

This page is written by \`npm run test:containers -- --report docs/containers.md\`, when all steps have passed. What the test does, and
what stands in for the published images, is in [contributing.md](contributing.md#containers).

## The log
`;

const kernel = `## User, capabilities and mounts

What the kernel shows of each container, in \`/proc\`: of all its processes the users, the union of the five sets of capabilities, and
the filter of system calls; of its mounts all but \`/proc\`, \`/sys\`, \`/dev\` and the three files of names that the engine adds. A container
that prepares and ends is started again with \`sleep\` in place of its program. \`test/containers/kernel.ts\` compares all of it with
\`docker-compose.yml\`.
`;

const head = [
  'When',
  'Container',
  'User',
  'Capabilities',
  'Privileges',
  'System calls',
  'Root',
  'Writable',
  'Read-only',
];

/** The page of a run: its log, and a table of what the kernel has shown. */
export function reportOf(said: readonly string[], views: readonly View[]): string {
  const rows = views.map(({ when, container, seen }) => [when, container, ...cellsOf(seen)]);
  // The head of the column says what the cell begins with.
  const cells = rows.map((row) =>
    head.map((_, column) => (row[column] ?? '').replace(/^(user|capabilities|root|writable|read-only) /, '')),
  );
  const table = [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
  return [intro, '```text', ...said, '```', '', kernel, ...table, ''].join('\n');
}
