import type { Outcome } from '#contract/enums.ts';
import type { History, HistoryLine } from '#services/verifications/history.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import { table } from '../../table.ts';
import type { Texts } from '../../texts/texts.ts';

/**
 * What people and machines did to a verification, oldest first. The steps of the workflow are folded: they say how the service did it, and
 * there are four of them for each line of the rest.
 */
export function historyTable(request: MemberRequest, { lines, workflowSeen, names }: History): Markup {
  const { history, verifications: t } = request.text;
  const steps = lines.filter(({ source }) => source === 'workflow');
  const others = lines.filter(({ source }) => source !== 'workflow');
  return html`
    ${linesTable(request, t.parts.history, others, names)}
    ${workflowSeen ? null : html`<p>${history.temporalAway}</p>`}
    ${workflowSeen && steps.length === 0 ? html`<p>${history.temporalGone}</p>` : null}
    ${steps.length === 0 ? null : html`<details><summary>${history.workflowSteps(steps.length)}</summary>${linesTable(request, history.temporal, steps, names)}</details>`}
  `;
}

type Names = History['names'];

const linesTable = (
  request: MemberRequest,
  label: string,
  lines: readonly HistoryLine[],
  names: Names,
): Markup => {
  const { history, verifications: t } = request.text;
  return table(
    { label, columns: [t.fields.when, t.fields.what, t.fields.source] },
    lines.map((line) => ({
      cells: [
        when(request, line.at, undefined, true),
        inWords(request.text, line, names),
        history.sources[line.source],
      ],
    })),
  );
};

function inWords(text: Texts, line: HistoryLine, names: Names): string {
  switch (line.source) {
    case 'ledger':
      return ledgerInWords(text, line.line, names);
    case 'event':
      return `${line.event.type} (${line.event.id})`;
    case 'attempt': {
      const { delivery, attempt } = line;
      const result = attempt.responseStatus ?? attempt.reason ?? attempt.outcome ?? text.history.running;
      return text.history.attempt(attempt.number, delivery.eventType, String(result));
    }
    case 'workflow': {
      const { kind, name, attempt } = line.step;
      const again = attempt !== null && attempt > 1 ? ` (${attempt})` : '';
      return `${text.history.steps[kind]}${name === null ? '' : `: ${name}`}${again}`;
    }
  }
}

function ledgerInWords(
  { history, verifications }: Texts,
  { type, data }: Extract<HistoryLine, { source: 'ledger' }>['line'],
  names: Names,
): string {
  const { outcome } = (data.verdict ?? {}) as { outcome?: Outcome };
  const verdict =
    outcome === undefined ? undefined : `${verifications.fields.outcome}: ${verifications.outcomes[outcome]}`;
  return [history.lines[type] ?? type, verdict, actorOf(history, data, names)].filter(Boolean).join(', ');
}

/** Whoever has no name any more is named by the id, as in the ledger. */
function actorOf(t: Texts['history'], data: Record<string, unknown>, names: Names): string | undefined {
  const actor = data.actor as { kind?: string; id?: string | null } | undefined;
  if (actor?.kind === undefined) return undefined;
  const name = actor.id ? ` ${names.get(actor.id) ?? actor.id}` : '';
  return `${t.by} ${t.actors[actor.kind] ?? actor.kind}${name}`;
}
