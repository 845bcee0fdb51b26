import { may } from '#policy/rights.ts';
import { recoveryCodesLeft } from '#services/members/second-factor.ts';
import { html } from '../../pages/markup.ts';
import type { ConsolePage } from '../request.ts';
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

export const homePages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/',
    for: 'account.own',
    nav: 'home',
    async run({ ctx, member, text, language }) {
      const left = member.hasSecondFactor ? await recoveryCodesLeft(ctx, member) : codesLow;
      const { name, may: rights } = text.members.roles[member.role];
      return {
        title: text.home.title(placeOf(language, member.organisation)),
        body: html`
          ${left < codesLow ? html`<p class="notice" role="status">${text.home.codesLow(left)}</p>` : null}
          <p>${text.home.youAre}: <strong>${name}</strong>. ${rights}</p>
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
