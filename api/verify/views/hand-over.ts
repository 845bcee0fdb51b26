import type { Link } from '#services/flow/find-link.ts';
import { help, stages } from '../../pages/components.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { here, type PageInput, stopping, to, type View } from '../parts.ts';

/** The steps at which a person can go on with another device. */
const steps = ['welcome', 'document', 'card_back', 'selfie', 'movements', 'papers', 'confirm'] as const;
type HandedStep = (typeof steps)[number];

const isHanded = (step: Link['step']): step is HandedStep => steps.some((each) => each === step);

/** On a computer the phone comes first. The style sheet hides this on a phone, and a preview shows what a phone does. */
export const handOver = (input: PageInput): Markup | null =>
  input.isPreview
    ? null
    : html`
        <section class="hand-over" aria-labelledby="hand-over">
          <div>
            <h2 id="hand-over">${input.text.handover.title}</h2>
            ${code(input)}
            <p class="follow" role="status">${input.text.handover.waits}</p>
          </div>
          <h2>${input.text.handover.goOnHere}</h2>
        </section>
      `;

/**
 * The page on a computer while the person goes on with the phone: the pages, and the one that the phone is at. The line above it counts
 * as on every page. Undefined if the person
 * does not go on with a phone, or if there is nothing left to do. The page is the same as long as the phone stays at its step.
 */
export function following(input: PageInput): View | undefined {
  const { link, text, follows } = input;
  if (follows !== true || !isHanded(link.step)) return undefined;
  const { handover } = text;
  const ahead = stepsOf(link);
  const place = ahead.indexOf(link.step);
  return {
    title: handover.following,
    body: html`
      <div class="follows" role="status">
        <p class="lead">${handover.phoneAt(handover.steps[link.step])}</p>
      </div>
      ${stages(
        ahead.map((step, index) => ({
          name: handover.steps[step],
          state: index < place ? 'done' : index === place ? 'busy' : 'next',
        })),
        text.checking.states,
      )}
      <p><a role="button" class="secondary" href=${here(input)}>${handover.takeOver}</a></p>
      ${onPhone(input, handover.again)}
      ${stopping(input)}
    `,
  };
}

/** What each of these steps is for. A method that does not need it has no such step. */
const neededFor = { document: 'document', selfie: 'face', movements: 'face', papers: 'income' } as const;

/** A card has a back, and not every method asks for everything. */
const stepsOf = ({ received, step, consents }: Link): HandedStep[] =>
  steps.filter((each) => {
    if (each === 'card_back') return step === 'card_back' || received.includes('card_front');
    return each === 'welcome' || each === 'confirm' || consents.includes(neededFor[each]);
  });

/** The way to a phone, where it is not the first thing to do. The style sheet hides this on a phone. */
export const onPhone = (input: PageInput, summary = input.text.welcome.onPhone): Markup =>
  help(summary, code(input), 'on-phone');

/** The address for a phone. A second device needs only the link, so devices are not paired. */
const code = (input: PageInput): Markup => {
  const { handover, welcome } = input.text;
  return html`
    <p>${welcome.onPhoneText}</p>
    <img src=${to(input, 'phone.svg')} alt=${welcome.qr} width="200" height="200" loading="lazy" />
    ${linkToCopy(input, handover.copied)}
  `;
};

/**
 * The way out of an app that shows this page. A page inside an app can always be opened elsewhere; any other page shows this if its
 * browser has no camera to give.
 */
export const ownBrowser = (input: PageInput): Markup => {
  const { title, text, copied } = input.text.handover.ownBrowser;
  return html`
    <div class="own-browser" hidden=${input.browser !== 'in_app'}>
      ${help(title, html`<p>${text}</p>${linkToCopy(input, copied)}`)}
    </div>
  `;
};

/** The address of the verification. Where the script offers a button that copies it, it hides the address. */
const linkToCopy = ({ address, text: { handover } }: PageInput, copied: string): Markup => html`
  <p class="link">
    <code>${address}</code>
    <button type="button" class="secondary copy" hidden data-copied=${copied} data-failed=${handover.notCopied}>${handover.copy}</button>
    <span class="copied" role="status"></span>
  </p>
`;
