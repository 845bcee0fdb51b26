import type { Outcome } from '#contract/enums.ts';
import type { History, HistoryLine } from '#services/verifications/history.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import type { Texts } from '../../texts/texts.ts';

/** The whole history of a verification on one time line, oldest first. */
export function historyTable(request: MemberRequest, { lines, workflowSeen }: History): Markup {
  const { history, verifications: t } = request.text;
  const hasSteps = lines.some(({ source }) => source === 'workflow');
  return html`
    <div class="table" role="region" aria-label=${t.parts.history} tabindex="0">
      <table class="history">
        <thead>
          <tr><th scope="col">${t.fields.when}</th><th scope="col">${t.fields.what}</th><th scope="col">${t.fields.source}</th></tr>
        </thead>
        <tbody>
          ${lines.map(
            (line) => html`
              <tr class=${line.source}>
                <td>${when(request, line.at, undefined, true)}</td>
                <td>${inWords(request.text, line)}</td>
                <td>${history.sources[line.source]}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
    ${workflowSeen ? null : html`<p>${history.temporalAway}</p>`}
    ${workflowSeen && !hasSteps ? html`<p>${history.temporalGone}</p>` : null}
  `;
}

function inWords(text: Texts, line: HistoryLine): string {
  switch (line.source) {
    case 'ledger':
      return ledgerInWords(text, line.line);
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
): string {
  const { outcome } = (data.verdict ?? {}) as { outcome?: Outcome };
  const verdict =
    outcome === undefined ? undefined : `${verifications.fields.outcome}: ${verifications.outcomes[outcome]}`;
  return [history.lines[type] ?? type, verdict, actorOf(history, data)].filter(Boolean).join(', ');
}

/** Ids of keys and members are shown in full, since the ledger names them so. */
function actorOf(t: Texts['history'], data: Record<string, unknown>): string | undefined {
  const actor = data.actor as { kind?: string; id?: string | null } | undefined;
  if (actor?.kind === undefined) return undefined;
  return `${t.by} ${t.actors[actor.kind] ?? actor.kind}${actor.id ? ` ${actor.id}` : ''}`;
}
