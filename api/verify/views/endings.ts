import type { Link } from '#services/flow/find-link.ts';
import { type Stage, stages } from '../../pages/components.ts';
import { type IconName, icon } from '../../pages/icons.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { aimOf, handsIn } from '../aim.ts';
import { contactLink } from '../contact.ts';
import { here, type PageInput, type View, wayBack } from '../parts.ts';

/** The pages on which the person has nothing to do any more. Each says what follows, and leads back to the organisation. */

const ended = (
  input: PageInput,
  drawing: IconName,
  title: string,
  ...paragraphs: (string | Markup)[]
): View => ({
  title,
  body: html`
    <div class="ending">
      ${icon(drawing)}
      ${paragraphs.map((text) => html`<p>${text}</p>`)}
      ${wayBack(input)}
    </div>
  `,
});

/** Whom to ask afterwards: the contact and the privacy statement, as far as the organisation has set them. */
function whomToAsk({ link: { organisation, contact, privacyUrl }, text }: PageInput): (string | Markup)[] {
  const statement = text.shell.privacy(organisation);
  return [
    ...(contact === null ? [] : [html`${text.done.contact} ${contactLink(contact)}`]),
    ...(privacyUrl === null ? [] : [html`<a href=${privacyUrl} rel="noreferrer">${statement}</a>`]),
  ];
}

export function checking(input: PageInput): View {
  const { link, text } = input;
  const { title, text: explained, wait, close, sameLink, again, names, states } = text.checking;
  return {
    title,
    refreshes: true,
    body: html`
      <p class="lead">${explained}</p>
      ${stages(stagesOf(link, names), states)}
      <p>${wait(link.wait)}</p>
      <p>${close(link.organisation)}${link.rule === 'people' ? null : ` ${sameLink}`}</p>
      <noscript><p><a class="button secondary" href=${here(input)}>${again}</a></p></noscript>
      ${wayBack(input)}
    `,
  };
}

type StageNames = PageInput['text']['checking']['names'];

/** What truly happens after Send. In sandbox and without a document nothing is read. */
function stagesOf(link: Link, { readingPapers, ...words }: StageNames): Stage[] {
  const { stage, consents, environment } = link;
  const names = aimOf(link) === 'income' ? { ...words, reading: readingPapers } : words;
  const reads = (consents.includes('document') || consents.includes('income')) && environment === 'live';
  const order: Link['stage'][] = reads ? ['reading', 'deciding'] : ['deciding'];
  const now = Math.max(order.indexOf(stage), 0);
  const later = order.map(
    (each, i): Stage => ({ name: names[each], state: i < now ? 'done' : i === now ? 'busy' : 'next' }),
  );
  return [{ name: names.arrived, state: 'done' }, ...later];
}

export function done(input: PageInput): View {
  const { link, text } = input;
  const { byMachine, otherWay, ...plain } = text.done;
  const asked = whomToAsk(input);
  const views: Record<Link['ending'], () => View> = {
    plain: () => ended(input, 'tick', plain.title, plain.text, plain.next(link.organisation), ...asked),
    rejected_by_machine: () =>
      ended(input, 'cross', byMachine.title, byMachine.text, byMachine.person(link.organisation), ...asked),
    other_way: () => ended(input, 'tick', otherWay.title, otherWay.text(link.organisation), ...asked),
  };
  return views[link.ending]();
}

export const expired = (input: PageInput): View => {
  const { title, text, ask } = input.text.expired;
  return ended(input, 'clock', title, text[handsIn(input.link)], ask(input.link.organisation));
};

export function cancelled(input: PageInput): View {
  const { byOrganisation, byPerson } = input.text.cancelled;
  const { title, text } = input.link.withdrawnAt === null ? byOrganisation : byPerson[handsIn(input.link)];
  return ended(input, 'hand', title, text(input.link.organisation), ...whomToAsk(input));
}

export const noBank = (input: PageInput): View =>
  ended(input, 'bank', input.text.noBank.title, input.text.noBank.text(input.link.organisation));
