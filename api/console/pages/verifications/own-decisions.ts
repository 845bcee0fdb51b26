import type { Environment, Outcome } from '#contract/enums.ts';
import { listOwnDecisions, type OwnDecision } from '#services/reviews/own.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { empty, environmentIn, environmentTabs, pageAsked, when } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { table } from '../../table.ts';
import { queuePath } from './queue.ts';

const pageSize = 50;

const pathOf = (environment: Environment, after?: string): string =>
  `/review/mine?${new URLSearchParams({ environment, ...(after !== undefined && { after }) })}`;

/** What this member decided so far. */
async function ownDecisionsPage(request: MemberRequest): Promise<View> {
  const { callers, ctx, query, text } = request;
  const t = text.ownDecisions;
  const environment = environmentIn(query);
  const { data, next_starting_after: next } = await pageAsked(request, (starting_after) =>
    listOwnDecisions(ctx, callers[environment], { limit: pageSize, starting_after }),
  );
  return {
    title: t.title,
    body: html`
      ${environmentTabs(request, environment, pathOf)}
      ${data.length === 0 ? empty(t.none, { to: queuePath(environment), name: text.reviews.toQueue }) : decisionsTable(request, data)}
      ${next === null ? null : html`<p><a href=${pathOf(environment, next)}>${text.reviews.older}</a></p>`}
      ${data.length === 0 ? null : html`<p><a href=${queuePath(environment)}>${text.reviews.toQueue}</a></p>`}
    `,
  };
}

function decisionsTable(request: MemberRequest, decisions: readonly OwnDecision[]): Markup {
  const { ownDecisions: t, reviews, verifications: v } = request.text;
  const tag = (outcome: Outcome) => html`<span class=${`tag ${outcome}`}>${v.outcomes[outcome]}</span>`;
  return table(
    { label: t.title, columns: [t.when, reviews.columns.what, t.yours, t.now], names: 1 },
    decisions.map(({ verificationId, createdAt, reference, method, outcome, verdict }) => ({
      cells: [
        when(request, createdAt),
        html`<a href=${`/verifications/${verificationId}`}>${reference ?? v.noReference}</a><br /><small>${v.methods[method]}</small>`,
        tag(outcome),
        verdict === null ? '–' : tag(verdict),
      ],
    })),
  );
}

export const ownDecisionPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/review/mine',
    for: 'queue.decide',
    query: ['environment', 'after'],
    run: ownDecisionsPage,
  },
];
