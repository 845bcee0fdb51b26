import type { ConsentItem } from '#contract/enums.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { aimOf } from '../aim.ts';
import { action, askForOtherWay, otherWayForm, type PageInput, to, type View } from '../parts.ts';
import { handOver, onPhone } from './hand-over.ts';
import { aboutData, aboutNeeds, aboutOrganisation } from './information.ts';

/**
 * The first page: who asks, why, what is needed and kept, and the consent. Opening it changes nothing. On a computer the way to a phone
 * comes first where photos are needed, since the camera of a phone is the best one.
 */
export function welcome(input: PageInput): View {
  const { link, text } = input;
  const needsPhotos = link.consents.includes('document');
  const { title, asks } = aimOf(link) === 'income' ? text.welcome.income : text.welcome;
  return {
    title,
    body: html`
      <p class="lead">${asks(link.organisation)}</p>
      ${needsPhotos ? handOver(input) : null}
      <form method="post" action=${to(input, 'start')} novalidate>
        ${aboutNeeds(input)}
        ${aboutOrganisation(input)}
        ${aboutData(input)}
        <h2>${text.welcome.agree}</h2>
        ${link.consents.map((item) => html`${tick(input, item)}${item === 'face' ? askForOtherWay(input) : null}`)}
        ${action(html`<button>${text.welcome.start}</button>`)}
      </form>
      ${otherWayForm(input)}
      ${needsPhotos ? null : onPhone(input)}
    `,
  };
}

/** The page itself says what is missing, in its own language. So the form asks the browser for no bubble. */
const tick = ({ link, text, fault }: PageInput, item: ConsentItem): Markup =>
  html`
  <label class="consent">
    <input type="checkbox" name="consent" value=${item} required
      aria-describedby=${fault && 'fault'} aria-invalid=${fault && 'true'} />
    <span>${text.welcome.consent[item](link.organisation)}</span>
  </label>
`;
