import { incomeDocumentTypes, type Language } from '#contract/enums.ts';
import { paperLimits } from '#contract/income/papers.ts';
import type { Link } from '#services/flow/find-link.ts';
import { points } from '../../pages/components.ts';
import { icon } from '../../pages/icons.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { action, type PageInput, specimenForm, stopping, to, type View } from '../parts.ts';
import { onPhone } from './hand-over.ts';

/** The pages on which a person hands in the documents of an income check. They never show what was understood of one. */

export function papers(input: PageInput): View {
  const { link, text } = input;
  const { title, anyOf, asked, kinds, hints } = text.papers;
  const wanted = link.documentTypes ?? incomeDocumentTypes;
  return {
    title,
    body: html`
      <p class="lead">${link.documentTypes === null ? anyOf : asked(link.organisation)}</p>
      ${points(wanted.map((type) => ({ icon: 'papers', text: kinds[type].name, hint: kinds[type].where })))}
      <p>${hints.file} ${hints.covered}</p>
      ${upload(input, 'main')}
      ${inSandbox(input)}
      ${onPhone(input)}
      ${stopping(input)}
    `,
  };
}

/** The same way to hand in one more stands below what is there already. */
export function papersBeforeSend(input: PageInput): View {
  const { link, text } = input;
  const isFull = link.papers.length >= paperLimits.papersMax;
  return {
    title: text.confirm.title,
    body: html`
      <p class="lead">${text.confirm.text}</p>
      ${handedIn(input)}
      ${isFull ? html`<p>${text.papers.full}</p>` : another(input)}
      <form method="post" action=${to(input, 'submit')}>
        ${action(html`<button>${text.confirm.send}</button>`)}
      </form>
      ${stopping(input)}
    `,
  };
}

/** Sandbox keeps no document, so there is none to name or to take back. */
const handedIn = (input: PageInput): Markup =>
  html`
  <ul class="handed-in">
    ${
      input.link.papers.length === 0
        ? html`<li>${icon('papers')}<span>${input.text.confirm.received.papers}</span></li>`
        : input.link.papers.map((paper, index) => item(input, paper, index + 1))
    }
  </ul>
`;

function item(input: PageInput, { id, size }: Link['papers'][number], number: number): Markup {
  const { item: nameOf, remove } = input.text.papers;
  const name = nameOf(number);
  return html`
    <li>
      ${icon('papers')}
      <span>${name} <small>${sizeIn(input.language, size)}</small></span>
      <form method="post" action=${to(input, 'remove-paper')}>
        <input type="hidden" name="id" value=${id} />
        <button class="secondary" aria-label=${`${remove}: ${name}`}>${remove}</button>
      </form>
    </li>
  `;
}

const [kilobyte, megabyte] = [1_000, 1_000_000];

/** The size of a file as a person would say it, for example `84 kB` or `1.2 MB`. */
export function sizeIn(language: Language, bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / kilobyte));
  const say = (amount: number, unit: 'kilobyte' | 'megabyte') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(amount);
  return kilobytes < megabyte / kilobyte ? say(kilobytes, 'kilobyte') : say(bytes / megabyte, 'megabyte');
}

/** It is open after a fault, since the fault is about the document that was not taken. */
const another = (input: PageInput): Markup =>
  html`
  <details open=${input.fault !== undefined}>
    <summary>${input.text.papers.another}</summary>
    <p>${input.text.papers.hints.file}</p>
    ${upload(input, 'further')}
    ${inSandbox(input)}
  </details>
`;

/** The page itself says what is missing, in its own language. So the form asks the browser for no bubble. */
function upload(input: PageInput, as: 'main' | 'further'): Markup {
  const { text, fault } = input;
  const { choose, send, sending, hints } = text.papers;
  const described = {
    'aria-describedby': fault === undefined ? 'most' : 'fault most',
    'aria-invalid': fault === undefined ? undefined : 'true',
  };
  const button = html`<button class=${as === 'main' ? undefined : 'secondary'} data-sending=${sending}>${send}</button>`;
  return html`
    <form class="paper" method="post" enctype="multipart/form-data" novalidate action=${to(input, 'paper')}>
      <label>
        ${choose}
        <input type="file" name="paper" required accept="application/pdf,.pdf" ...${described} />
      </label>
      <small id="most">${hints.most}</small>
      <progress max="1" value="0" aria-label=${sending} hidden></progress>
      ${as === 'main' ? action(button) : button}
    </form>
  `;
}

const inSandbox = (input: PageInput): Markup | null =>
  input.link.environment === 'sandbox'
    ? html`
        <p>${input.text.papers.sandbox}</p>
        ${specimenForm(input, 'papers', input.text.papers.specimen)}
      `
    : null;
