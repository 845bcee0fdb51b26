import { isIncome, type Language } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { reasonIn } from '#services/views/reason-in.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import type { MemberRequest } from '../../request.ts';
import { table } from '../../table.ts';
import { type Texts, texts } from '../../texts/texts.ts';
import type { VerificationRow } from './find-verification.ts';

export function verdictOf(
  { language, text }: MemberRequest,
  { verdict, method }: Pick<VerificationRow, 'verdict' | 'method'>,
): Markup {
  const t = text.verifications;
  if (verdict === null) return html`<p>${t.noVerdict}</p>`;
  const { fields } = t;
  return html`
    <dl>
      <div><dt>${fields.outcome}</dt><dd><span class=${`tag ${verdict.outcome}`}>${t.outcomes[verdict.outcome]}</span></dd></div>
      ${isIncome(method) ? null : html`<div><dt>${fields.assurance}</dt><dd>${t.assuranceLevels[verdict.assuranceLevel]}</dd></div>`}
      <div><dt>${fields.reasons}</dt><dd>${verdict.reasonIds.map((id) => html`<p>${reasonIn(language, id)}</p>`)}</dd></div>
      <div><dt>${fields.reviewed}</dt><dd>${verdict.reviewed ? t.byReviewer : t.byMachine}</dd></div>
    </dl>
    ${verdict.checks.length === 0 ? null : checksOf(language, verdict.checks)}
  `;
}

/** Several documents have a column each. */
export const checksOf = (language: Language, checks: readonly Check[]): Markup =>
  checks.some(({ documentId }) => documentId !== undefined)
    ? checksByDocument(language, checks)
    : checksOfCase(texts[language].verifications, checks);

const checksOfCase = (t: Texts['verifications'], checks: readonly Check[]): Markup =>
  table(
    { label: t.parts.checks, columns: [t.fields.check, t.fields.result, t.fields.confidence], names: 0 },
    checks.map(({ kind, result, confidence }) => ({
      cells: [
        t.checks[kind],
        html`<span class=${`tag ${result}`}>${t.results[result]}</span>`,
        result === 'not_applicable' ? '–' : `${Math.round(confidence * 100)} %`,
      ],
    })),
  );

/** The documents are in the order in which they came, which is that of their ids. A check of none of them is about all together. */
function checksByDocument(language: Language, checks: readonly Check[]): Markup {
  const t = texts[language].verifications;
  const { document, ofAll } = texts[language].income;
  const ids = [...new Set(checks.flatMap(({ documentId }) => documentId ?? []))].toSorted();
  const columns = checks.some(({ documentId }) => documentId === undefined) ? [...ids, undefined] : ids;
  const cell = (kind: Check['kind'], id: string | undefined) => {
    const made = checks.find((check) => check.kind === kind && check.documentId === id);
    return made === undefined
      ? '–'
      : html`<span class=${`tag ${made.result}`}>${t.results[made.result]}</span>`;
  };
  const nameOf = (id: string | undefined) =>
    id === undefined ? ofAll : `${document} ${ids.indexOf(id) + 1}`;
  return table(
    { label: t.parts.checks, columns: [t.fields.check, ...columns.map(nameOf)], names: 0 },
    [...new Set(checks.map(({ kind }) => kind))].map((kind) => ({
      cells: [t.checks[kind], ...columns.map((id) => cell(kind, id))],
    })),
  );
}
