import type { ConsoleRole } from '#contract/members.ts';
import { may, type Right } from '#policy/rights.ts';
import { recoveryCodesLeft } from '#services/members/second-factor.ts';
import { type FirstStep, firstSteps, readFirstSteps } from '#services/organisations/first-steps.ts';
import { html, type Markup } from '../../pages/markup.ts';
import type { ConsolePage, MemberRequest } from '../request.ts';
import { placeOf } from '../texts/members.ts';

/** Below this number the home page says that recovery codes run out. */
const codesLow = 4;

const cards = [
  { path: '/operator', nav: 'operator', right: 'operators.see' },
  { path: '/review', nav: 'review', right: 'queue.see' },
  { path: '/verifications', nav: 'verifications', right: 'verifications.see' },
  { path: '/keys', nav: 'keys', right: 'keys.see' },
  { path: '/webhooks', nav: 'webhooks', right: 'webhooks.see' },
  { path: '/requests', nav: 'requests', right: 'requests.see' },
  { path: '/usage', nav: 'usage', right: 'usage.see' },
  { path: '/members', nav: 'members', right: 'members.see' },
  { path: '/organisation', nav: 'organisation', right: 'organisation.see' },
  { path: '/log', nav: 'log', right: 'log.see' },
  { path: '/account', nav: 'account', right: 'account.own' },
] as const;

/** Roles with one task begin there. They have no home page, unless there is something to tell them. */
export const firstPages: Partial<Record<ConsoleRole, string>> = {
  reviewer: '/review',
  operator: '/operator',
};

const steps = {
  sandboxKey: { path: '/keys/new', right: 'keys.change' },
  verification: { path: '/keys/new', right: 'keys.change' },
  webhook: { path: '/webhooks/new', right: 'webhooks.change' },
  appearance: { path: '/organisation', right: 'organisation.change' },
  member: { path: '/members', right: 'members.change' },
  liveKey: { path: '/keys/new', right: 'keys.change' },
} as const satisfies Record<FirstStep, { path: string; right: Right }>;

/** What a new organisation does first. Each step ticks itself, and the list goes when all are done. */
async function firstStepsList({ ctx, callers, member, text }: MemberRequest): Promise<Markup | null> {
  if (!may(member.role, 'keys.change')) return null;
  const done = await readFirstSteps(ctx, callers.live);
  const own = firstSteps.filter((step) => may(member.role, steps[step].right));
  const left = own.filter((step) => !done[step]);
  if (left.length === 0) return null;
  const t = text.firstSteps;
  return html`
    <section class="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">${t.title} <small>${t.progress(own.length - left.length, own.length)}</small></h2>
      <ol>
        ${own.map((step) => {
          const { name, text: why } = t.steps[step];
          return done[step]
            ? html`<li class="done">${name} <span class="tag passed">${t.done}</span></li>`
            : html`<li><a href=${steps[step].path}>${name}</a><br /><small>${why}</small></li>`;
        })}
      </ol>
    </section>
  `;
}

export const homePages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/',
    for: 'account.own',
    nav: 'home',
    async run(request) {
      const { ctx, member, text, language } = request;
      const left = member.hasSecondFactor ? await recoveryCodesLeft(ctx, member) : codesLow;
      const first = firstPages[member.role];
      if (first !== undefined && left >= codesLow) return { to: first };
      const { name, may: rights } = text.members.roles[member.role];
      return {
        title: text.home.title(placeOf(language, member.organisation)),
        body: html`
          ${left < codesLow ? html`<p class="notice" role="status">${text.home.codesLow(left)}</p>` : null}
          <p>${text.home.youAre}: <strong>${name}</strong>. ${rights}</p>
          ${await firstStepsList(request)}
          <ul class="cards">
            ${cards
              .filter(({ right }) => may(member.role, right))
              .map(
                ({ path, nav }) =>
                  html`<li><a href=${path}><strong>${text.nav[nav]}</strong><span>${text.home.cards[nav]}</span></a></li>`,
              )}
          </ul>
        `,
      };
    },
  },
];
