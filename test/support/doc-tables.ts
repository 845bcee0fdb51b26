import { type Method, methods, scenarios } from '#contract/enums.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { internalError, rpcCodeOf } from '#contract/rpc-errors.ts';
import { type ReasonId, reasonText } from '#policy/reasons.ts';
import { sandboxDecision } from '#policy/sandbox.ts';

/** The tables of the guide that say what the code says: each stands between two marks, and is written from here. */
export const docTables: Record<string, { file: string; rows: () => string[][] }> = {
  errors: {
    file: 'docs/guide/errors.md',
    rows: () => [
      ['Status', 'JSON-RPC', 'Type', 'Code', 'Message, unless it names the field at fault'],
      ...Object.entries(errors).map(([code, { status, type, message }]) => [
        String(status),
        rpcCodeOf(code as ErrorCode) === internalError ? '' : String(rpcCodeOf(code as ErrorCode)),
        `\`${type}\``,
        `\`${code}\``,
        message,
      ]),
    ],
  },
  verdicts: {
    file: 'docs/guide/sandbox.md',
    rows: () => [
      ['Method', 'Scenario', 'Outcome', 'Assurance', 'Reason'],
      ...methods.flatMap((method: Method) =>
        scenarios.map((scenario) => {
          const { outcome, assuranceLevel, reasonIds } = sandboxDecision(method, scenario);
          const texts = reasonIds.map((id) => reasonText(id as ReasonId));
          return [
            `\`${method}\``,
            `\`${scenario}\``,
            `\`${outcome}\``,
            `\`${assuranceLevel}\``,
            texts.join(' '),
          ];
        }),
      ),
    ],
  },
};

const escaped = (cell: string) => cell.replaceAll('<', '\\<').replaceAll('|', '\\|');
const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;

function markdown([head = [], ...rows]: string[][]): string {
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The text with the table between its marks as the code has it. */
export function withTable(name: string, text: string): string {
  const [start, end] = [`<!-- table: ${name} -->`, '<!-- /table -->'];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (from < start.length || to < 0) throw new Error(`there is no place for the table ${name}`);
  return `${text.slice(0, from)}\n${markdown(docTables[name]?.rows() ?? [])}\n${text.slice(to)}`;
}
