const heading = '## Planted bugs';

/** A bug that was planted, the fault whose rounds had to find it, and the line that named it. Undefined if none did. */
export type Caught = { bug: string; fault: string; line: string | undefined };

/** The section about planted bugs at the end of a report. Empty if there is none. */
export function plantedSectionOf(page: string): string {
  const begin = page.indexOf(heading);
  return begin === -1 ? '' : page.slice(begin);
}

/** Returns the report with a new section about planted bugs. */
export function withPlanted(page: string, caught: readonly Caught[]): string {
  const before = page.slice(0, page.length - plantedSectionOf(page).length).trimEnd();
  const rows = caught.map(({ bug, fault, line = 'NOT CAUGHT' }) => `| ${bug} | ${fault} | ${cell(line)} |`);
  return `${before}

${heading}

Each of these bugs was planted into a copy of the product, and the rounds had to fail and to name it. This section is written by
\`npm run test:planted -- --report docs/faults.md\`.

| Bug | Rounds | Named by |
|---|---|---|
${rows.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
