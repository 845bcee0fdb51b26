import { type OwnRemovals, ownRemovalsAhead } from '#services/relations/removals.ts';
import { type MonthOfUse, usageOfYear } from '#services/usage/monthly.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { empty, when } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import { table } from '../table.ts';
import { texts } from '../texts/texts.ts';
import { counted } from '../values/counted.ts';

async function usageView(request: MemberRequest): Promise<View> {
  const { ctx, callers, language, text } = request;
  const t = text.usage;
  const [months, removals] = [
    await usageOfYear(ctx, callers.live),
    await ownRemovalsAhead(ctx, callers.live),
  ];
  return {
    title: t.title,
    body: html`
      ${removals === undefined ? null : removalsSection(request, removals)}
      ${monthsTable(language, months)}
    `,
  };
}

function monthsTable(language: MemberRequest['language'], months: readonly MonthOfUse[]): Markup {
  const t = texts[language].usage;
  const most = Math.max(...months.map(({ verifications }) => verifications));
  if (most === 0) return empty(t.none);
  return html`
    <p>${t.intro} ${t.sandbox}</p>
    ${table(
      { label: t.title, columns: [t.month, t.count, t.chart], names: 0 },
      months.map(({ month, verifications }) => ({
        cells: [month, verifications.toLocaleString(language), bar((100 * verifications) / most)],
      })),
    )}
  `;
}

/** Verifications that are removed unless somebody reports the end of their relationship, which only the operator can note. */
function removalsSection(request: MemberRequest, { verifications, days, removedAfter }: OwnRemovals): Markup {
  const t = request.text.usage.removals;
  return html`
    <section>
      <h2>${t.title}</h2>
      <p><strong>${t.count(counted(request.language, verifications), days)}.</strong> ${t.first} ${when(request, removedAfter)}.</p>
      <p>${t.why}</p>
      <p>${t.how}</p>
    </section>
  `;
}

/** The bar needs neither a script nor a style of its own, which the policy of the page would refuse. */
const bar = (percent: number): Markup =>
  html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width=${percent} height="6" /></svg>`;

export const usagePages: readonly ConsolePage[] = [
  { method: 'GET', path: '/usage', for: 'usage.see', nav: 'usage', run: usageView },
];
