import { expect, test } from 'vitest';
import { hasPrint } from '#activities/checks/document/masking/portrait.ts';

const face = { x: 400, y: 300, width: 200, height: 240, score: 0.87, quarters: 0 };
const read = (text: string, { certainty = 0.95, x = 400, y = 300 } = {}) => ({
  ...{ text, certainty },
  line: { x, y, angle: 0, length: 120, height: 20 },
});

test('a face in which print was read is none', () => {
  expect(hasPrint(face, [read('10 MEI/MAY 1965')])).toBe(true);
  expect(hasPrint(face, [read('99996', { x: 310, y: 410 })])).toBe(true);
});

test.each([
  ['print beside it', read('10 MEI/MAY 1965', { x: 520 })],
  ['print below it', read('10 MEI/MAY 1965', { y: 430 })],
  ['hair that was read as a few signs', read('11l')],
  ['cloth that was read without certainty', read('NEDERLANDEN', { certainty: 0.5 })],
])('a face stays one with %s', (_, line) => {
  expect(hasPrint(face, [line])).toBe(false);
});
