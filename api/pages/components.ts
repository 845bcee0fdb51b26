import type { Language } from '#contract/enums.ts';
import { type IconName, icon } from './icons.ts';
import { html, type Markup, type Value } from './markup.ts';

/** The parts that hosted pages and console are made of. Their looks are in `assets/base.css` and in the style sheet of each. */

/** A fault, or a piece of news. A screen reader says a fault at once. */
export const notice = (kind: 'fault' | 'news', text: string): Markup =>
  kind === 'fault'
    ? html`<p role="alert" id="fault">${text}</p>`
    : html`<p class="notice" role="status">${text}</p>`;

/** Help that unfolds below its own name. */
export const help = (summary: string, body: Markup, className?: string): Markup =>
  html`
  <details class=${className}><summary>${summary}</summary>${body}</details>
`;

export const languageSwitch = (to: string, language: Language, name: string): Markup =>
  html`<a class="language" href=${to} lang=${language} hreflang=${language}>${name}</a>`;

export type Progress = { current: number; of: number; name: string };

/** How far a person is. The bars repeat what the line says, so a screen reader skips them. */
export const progress = ({ current, of }: Progress, line: string): Markup =>
  html`
  <div class="progress">
    <p>${line}</p>
    <div class="bars" aria-hidden="true">
      ${Array.from({ length: of }, (_, i) => html`<span class=${i < current ? 'past' : undefined}></span>`)}
    </div>
  </div>
`;

export type Choice = { to: string; icon: IconName; name: string; hint?: string | undefined };

/** A choice between few things, each a card of its own. */
export const choiceCards = (choices: readonly Choice[]): Markup =>
  html`
  <ul class="choices">
    ${choices.map(
      ({ to, icon: drawing, name, hint }) => html`
        <li>
          <a class="choice" href=${to}>
            ${icon(drawing)}
            <span><strong>${name}</strong>${hint === undefined ? null : html`<small>${hint}</small>`}</span>
            ${icon('onward')}
          </a>
        </li>
      `,
    )}
  </ul>
`;

export type Point = { icon: IconName; text: Value; hint?: string | undefined };

/** A short list with a drawing beside each line. */
export const points = (items: readonly Point[], className = 'points'): Markup =>
  html`
  <ul class=${className}>
    ${items.map(
      ({ icon: drawing, text, hint }) =>
        html`<li>${icon(drawing)}<span>${text}${hint === undefined ? null : html`<small>${hint}</small>`}</span></li>`,
    )}
  </ul>
`;

export type Stage = { name: string; state: 'done' | 'busy' | 'next' };

/** What happens one after the other while somebody waits. `states` are words for those who see no drawing. */
export const stages = (items: readonly Stage[], states: Record<Stage['state'], string>): Markup =>
  html`
  <ol class="stages">
    ${items.map(
      ({ name, state }) =>
        html`<li class=${state}>${icon(state === 'done' ? 'tick' : 'dot')}<span>${name}<span class="unseen"> (${states[state]})</span></span></li>`,
    )}
  </ol>
`;
