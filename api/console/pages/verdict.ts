import { html } from 'htm/preact';
import { reasonIn } from '#services/verifications/reason-in.ts';
import type { Markup } from '../../pages/markup.ts';
import type { VerificationRow } from '../find-verification.ts';
import type { MemberRequest } from '../request.ts';
import { verificationTexts } from '../texts-verifications.ts';

export function verdictOf(
  { language }: MemberRequest,
  { verdict }: Pick<VerificationRow, 'verdict'>,
): Markup {
  const t = verificationTexts[language];
  if (verdict === null) return html`<p>${t.noVerdict}</p>` as Markup;
  const { fields } = t;
  return html`
    <dl>
      <div><dt>${fields.outcome}</dt><dd><span class=${`tag ${verdict.outcome}`}>${t.outcomes[verdict.outcome]}</span></dd></div>
      <div><dt>${fields.assurance}</dt><dd>${verdict.assuranceLevel}</dd></div>
      <div><dt>${fields.reasons}</dt><dd>${verdict.reasonIds.map((id) => html`<p>${reasonIn(language, id)}</p>`)}</dd></div>
      <div><dt>${fields.reviewed}</dt><dd>${verdict.reviewed ? t.byReviewer : t.byMachine}</dd></div>
    </dl>
    ${verdict.checks.length === 0 ? null : checksOf(t, verdict.checks)}
  ` as Markup;
}

export const checksOf = (
  t: (typeof verificationTexts)['en'],
  checks: NonNullable<VerificationRow['verdict']>['checks'],
): Markup =>
  html`
  <div class="table" role="region" aria-label=${t.parts.checks} tabindex="0">
    <table>
      <thead><tr><th scope="col">${t.fields.check}</th><th scope="col">${t.fields.result}</th><th scope="col">${t.fields.confidence}</th></tr></thead>
      <tbody>
        ${checks.map(
          ({ kind, result, confidence }) => html`
            <tr><th scope="row">${t.checks[kind]}</th><td><span class=${`tag ${result}`}>${t.results[result]}</span></td>
            <td>${result === 'not_applicable' ? '–' : `${Math.round(confidence * 100)} %`}</td></tr>
          `,
        )}
      </tbody>
    </table>
  </div>
` as Markup;
