import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { median } from './figures.ts';

/** One line of the report: what was measured, what it is compared with, and whether the result is as required. */
export type Line = {
  what: string;
  ours: string;
  beside: string;
  ratio?: number;
  /** What the goal is about, where there is no ratio. */
  figure?: number;
  goal?: { atLeast: number } | { atMost: number };
};

export const medianOf = <Round>(rounds: readonly Round[], figure: (round: Round) => number): number =>
  median(rounds.map(figure));

export function isReached({ ratio, figure, goal }: Line): boolean | undefined {
  const measured = ratio ?? figure;
  if (measured === undefined || goal === undefined) return undefined;
  return 'atLeast' in goal ? measured >= goal.atLeast : measured <= goal.atMost;
}

export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const { what, ours, beside, ratio, goal } = line;
    const words = goal && ('atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`);
    const verdict = { true: 'reached', false: '**missed**', undefined: '' }[`${isReached(line)}`];
    return [what, ours, beside, ratio?.toFixed(2) ?? '', words ?? '', verdict];
  });
  return [['', 'ours', 'beside', 'ratio', 'goal', ''], Array(6).fill('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The table replaces the text between these marks. */
const [begin, end] = ['<!-- bench:begin -->', '<!-- bench:end -->'];

export async function report(file: string, table: string, machine: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [head, rest = ''] = text.split(begin);
  const tail = rest.split(end)[1] ?? '';
  await writeFile(file, `${head}${begin}\n\n${machine}\n\n${table}\n\n${end}${tail}`);
}

/** Names the command that made the figures and the machine on which it ran. */
export const machineLine = (loadBefore: string, command: string): string =>
  `\`${[command, ...process.argv.slice(2)].join(' ')}\`, ${new Date().toISOString().slice(0, 10)}: ` +
  `${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}; ` +
  `load average before ${loadBefore}, after ${load()}.`;

export const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' / ');
