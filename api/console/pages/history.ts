import type { Outcome } from '#contract/enums.ts';
import type { History, HistoryLine } from '#services/verifications/history.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { when } from '../parts.ts';
import type { MemberRequest } from '../request.ts';
import { type VerificationTexts, verificationTexts } from '../texts-verifications.ts';

/** The whole history of a verification on one time line, oldest first. */
export function historyTable(request: MemberRequest, { lines, workflowSeen }: History): Markup {
  const t = verificationTexts[request.language];
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
                <td>${inWords(t, line)}</td>
                <td>${t.sources[line.source]}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
    ${workflowSeen ? null : html`<p>${t.temporalAway}</p>`}
    ${workflowSeen && !hasSteps ? html`<p>${t.temporalGone}</p>` : null}
  `;
}

function inWords(t: VerificationTexts, line: HistoryLine): string {
  switch (line.source) {
    case 'ledger':
      return ledgerInWords(t, line.line);
    case 'event':
      return `${line.event.type} (${line.event.id})`;
    case 'attempt': {
      const { delivery, attempt } = line;
      const result = attempt.responseStatus ?? attempt.reason ?? attempt.outcome ?? t.running;
      return t.attempt(attempt.number, delivery.eventType, String(result));
    }
    case 'workflow': {
      const { kind, name, attempt } = line.step;
      const again = attempt !== null && attempt > 1 ? ` (${attempt})` : '';
      return `${t.steps[kind]}${name === null ? '' : `: ${name}`}${again}`;
    }
  }
}

function ledgerInWords(
  t: VerificationTexts,
  { type, data }: Extract<HistoryLine, { source: 'ledger' }>['line'],
): string {
  const { outcome } = (data.verdict ?? {}) as { outcome?: Outcome };
  const verdict = outcome === undefined ? undefined : `${t.fields.outcome}: ${t.outcomes[outcome]}`;
  return [t.lines[type] ?? type, verdict, actorOf(t, data)].filter(Boolean).join(', ');
}

/** Ids of keys and members are shown in full, since the ledger names them so. */
function actorOf(t: VerificationTexts, data: Record<string, unknown>): string | undefined {
  const actor = data.actor as { kind?: string; id?: string | null } | undefined;
  if (actor?.kind === undefined) return undefined;
  return `${t.by} ${t.actors[actor.kind] ?? actor.kind}${actor.id ? ` ${actor.id}` : ''}`;
}
