import { html, type Markup } from './markup.ts';

const card =
  'M3.5 5h17A1.5 1.5 0 0 1 22 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-17A1.5 1.5 0 0 1 2 17.5v-11A1.5 1.5 0 0 1 3.5 5z';

/** Drawings of 24 × 24, as lines in the colour of the text. Our own, so no licence travels with the pages. */
const lines = {
  passport: [
    'M6 2.5h11a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5H6z',
    'M9.5 17.5h5.5',
    circle(12.25, 10, 3.5),
    'M8.75 10h7',
  ],
  identity_card: [
    card,
    circle(8, 10.5, 2),
    'M4.75 16a3.25 3.25 0 0 1 6.5 0',
    'M14.5 9.5h4.5M14.5 12.5h4.5M14.5 15.5h3',
  ],
  residence_permit: [card, 'M5 16v-4.5l3.5-3 3.5 3V16z', 'M15 9.5h4M15 12.5h4M15 15.5h2.5'],
  driving_licence: [
    card,
    'M5 14.5v-2l1.25-3h4.5l1.25 3v2zM5 12.5h7',
    circle(6.75, 14.5, 1),
    circle(10.25, 14.5, 1),
    'M15 9.5h4M15 12.5h4M15 15.5h2.5',
  ],
  card_back: [card, 'M5 8.5h6M5 13h14M5 15.75h14'],
  selfie: [circle(12, 9, 4), 'M4.5 21a7.5 7.5 0 0 1 15 0'],
  movements: [circle(12, 12, 4), 'M6.5 8 2.5 12l4 4M17.5 8l4 4-4 4'],
  camera: [
    'M4 7h3l1.5-2.5h7L17 7h3a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 7z',
    circle(12, 13, 3.5),
  ],
  bank: ['M3 9.5 12 4l9 5.5zM4 20h16', 'M6 12.5v5M10 12.5v5M14 12.5v5M18 12.5v5'],
  papers: ['M6 3h8l4 4v14H6zM14 3v4h4', 'M9 12h6M9 15.5h6M9 8.5h2'],
  clock: [circle(12, 12, 9), 'M12 7v5l3.5 2'],
  lock: ['M5.5 10.5h13v10h-13zM8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5'],
  shield: ['M12 2.5 20 5.5v6c0 5-3.5 8.5-8 10-4.5-1.5-8-5-8-10v-6z', 'M8.5 12l2.5 2.5 4.5-5'],
  hand: [circle(12, 12, 9), 'M9 9v6M15 9v6'],
  tick: [circle(12, 12, 9), 'M7.75 12.25l3 3 5.5-6'],
  cross: [circle(12, 12, 9), 'M9 9l6 6M15 9l-6 6'],
  dot: [circle(12, 12, 9)],
  question: [circle(12, 12, 9), 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7', 'M12 16.75v.01'],
  onward: ['M9 5l7 7-7 7'],
} as const satisfies Record<string, readonly string[]>;

export type IconName = keyof typeof lines;

/** A drawing beside words that say the same, so a screen reader skips it. */
export const icon = (name: IconName): Markup =>
  html`
  <svg class=${`icon ${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none"
    stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
    ${lines[name].map((d) => html`<path d=${d} />`)}
  </svg>
`;

/** A circle as a path, so that every drawing is paths alone. */
function circle(x: number, y: number, radius: number): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
}
