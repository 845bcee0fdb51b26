import type { PictureKind } from '#contract/enums.ts';
import { html, type Markup } from '../../pages/markup.ts';

/** Drawings of 96 × 68, as lines in the colour of the text. Our own, so no licence travels with the pages. */

const card = (x: number, y: number) => [
  `M${x + 4} ${y}h56a4 4 0 0 1 4 4v34a4 4 0 0 1 -4 4h-56a4 4 0 0 1 -4 -4v-34a4 4 0 0 1 4 -4z`,
  `M${x + 10} ${y + 8}h14v18h-14z`,
  `M${x + 32} ${y + 10}h22M${x + 32} ${y + 17}h22M${x + 32} ${y + 24}h14M${x + 8} ${y + 32}h48M${x + 8} ${y + 36}h48`,
];
const head = 'M48 10a15 18 0 1 0 .01 0z';
const shoulders = 'M18 68c2 -16 14 -20 30 -20s28 4 30 20';

type Drawing = { lines: readonly string[]; filled?: string; isGood?: true };

const drawings = {
  good_document: { lines: card(10, 18), isGood: true },
  cut_off: { lines: card(46, 34) },
  reflection: {
    lines: [
      ...card(10, 18),
      'M48 24v-5M48 44v5M38 34h-5M58 34h5M41 27l-4 -4M55 27l4 -4M41 41l-4 4M55 41l4 4',
    ],
    filled: 'M48 27a7 7 0 1 0 .01 0z',
  },
  good_face: { lines: [head, shoulders, 'M42 26v2M54 26v2M43 37q5 4 10 0'], isGood: true },
  covered_face: {
    lines: [head, shoulders, 'M43 38q5 4 10 0'],
    filled: 'M33 20h30v-4a15 11 0 0 0 -30 0zM36 26h10v6h-10zM50 26h10v6h-10z',
  },
  dark_face: { lines: [shoulders], filled: head },
} as const satisfies Record<string, Drawing>;

export type Example = keyof typeof drawings;

const shownFor = (kind: PictureKind): readonly Example[] =>
  kind === 'selfie' ? ['good_face', 'covered_face', 'dark_face'] : ['good_document', 'cut_off', 'reflection'];

/** One good picture and two bad ones. The words beside a drawing say the same, so a screen reader skips the drawing. */
export const examples = (words: Record<Example, string>, kind: PictureKind): Markup =>
  html`
  <ul class="examples">
    ${shownFor(kind).map((name) => html`<li>${drawn(drawings[name])}<span>${words[name]}</span></li>`)}
  </ul>
`;

const drawn = ({ lines, filled, isGood }: Drawing): Markup =>
  html`
  <svg class=${isGood ? 'good' : 'bad'} viewBox="0 0 96 68" width="96" height="68" aria-hidden="true" fill="none"
    stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
    ${lines.map((d) => html`<path d=${d} />`)}
    ${filled === undefined ? null : html`<path d=${filled} fill="currentColor" />`}
    <path class="mark" d=${isGood ? 'M78 10l4 4 8 -9' : 'M79 5l10 10M89 5l-10 10'} />
  </svg>
`;
