import { safeHeadersOf } from '#api/middleware/safe-headers.ts';
import { type AttemptReason, attemptReasons, type Method, methods, scenarios } from '#contract/enums.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { events } from '#contract/events.ts';
import { internalError, rpcCodeOf } from '#contract/rpc-errors.ts';
import { hourMs, minuteMs, secondMs } from '#contract/time.ts';
import { type ReasonId, reasonText } from '#policy/reasons.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { promises } from '../../suites/promises.ts';
import { glossaryRows } from './glossary.ts';
import { processingRows } from './processing.ts';

const attemptReasonTexts: Record<AttemptReason, string> = {
  http_status: 'you answered, but not 2xx',
  redirect_not_followed: 'you answered 3xx',
  timed_out: 'you did not answer in time; slow name servers can be the cause',
  connection_failed: 'nobody accepted a connection',
  connection_lost: 'the connection ended before your status came',
  tls_failed: 'the certificate or the TLS version is not accepted',
  malformed_answer:
    'the answer does not begin with a status of HTTP/1, or has more than 16 KiB of headers; interim answers before it count too',
  name_not_resolved: 'the host name has no address',
  address_not_allowed: 'the url, or an address of its host, is not public',
  outcome_unknown: 'our process ended before it knew the result; the event may have reached you',
};

/** Writes 28,860,000 as `8 h 1 min`. Parts that are zero are left out, and 0 is `at once`. */
function spoken(ms: number): string {
  const [hours, minutes, seconds] = [ms / hourMs, (ms / minuteMs) % 60, (ms / secondMs) % 60].map(Math.floor);
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`, seconds && `${seconds} s`];
  return parts.filter(Boolean).join(' ') || 'at once';
}

/** The tables of the guide whose content comes from the code. Each table is between two marks, and is written from these rows. */
export const docTables: Record<string, { file: string; rows: () => string[][] }> = {
  promises: {
    file: 'docs/promises.md',
    rows: () => [
      ['Section', 'Promise', 'Test of the gate'],
      ...promises().map(({ id, behaviour, gate: [first] }) => [
        id.slice(0, id.indexOf('/')),
        behaviour,
        `\`${first}\``,
      ]),
    ],
  },
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
  events: {
    file: 'docs/guide/webhooks.md',
    rows: () => [
      ['Type', 'It is sent when'],
      ...Object.entries(events).map(([type, row]) => {
        const unsubscribable = row.subscribable ? '' : '; you cannot subscribe to it';
        return [`\`${type}\``, `${row.when}${unsubscribable}`];
      }),
    ],
  },
  retries: {
    file: 'docs/guide/webhooks.md',
    rows: () => [
      ['Attempt', 'Waits', 'After the first'],
      ...[0, ...retryWaitsMs].map((waitMs, i) => [
        String(i + 1),
        spoken(waitMs),
        i === 0 ? '' : spoken(retryWaitsMs.slice(0, i).reduce((sum, wait) => sum + wait, 0)),
      ]),
    ],
  },
  glossary: { file: 'docs/glossary.md', rows: glossaryRows },
  processing: { file: 'docs/guide/data-protection.md', rows: processingRows },
  headers: {
    file: 'docs/security.md',
    rows: () => [
      ['Header', 'Value'],
      ...Object.entries(safeHeadersOf).map(([name, value]) => [`\`${name}\``, `\`${value}\``]),
    ],
  },
  reasons: {
    file: 'docs/guide/webhooks.md',
    rows: () => [
      ['Reason', 'What it means'],
      ...attemptReasons.map((reason) => [`\`${reason}\``, attemptReasonTexts[reason]]),
    ],
  },
};

const escaped = (cell: string) => cell.replaceAll('<', '\\<').replaceAll('|', '\\|');
const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;

function markdown([head = [], ...rows]: string[][]): string {
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Returns the text with the current table between its marks. */
export function withTable(name: string, text: string): string {
  const [start, end] = [`<!-- table: ${name} -->`, '<!-- /table -->'];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (from < start.length || to < 0) throw new Error(`there is no place for the table ${name}`);
  return `${text.slice(0, from)}\n${markdown(docTables[name]?.rows() ?? [])}\n${text.slice(to)}`;
}
