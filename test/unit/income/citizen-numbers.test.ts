import { expect, test } from 'vitest';
import { citizenNumbersOn } from '#activities/checks/income/reading/citizen-numbers.ts';
import type { Page, Word } from '#contract/income/papers.ts';

const word = (text: string, left: number): Word => ({
  ...{ text, box: [left, 10, left + 50, 20], size: 10, font: 0, digitFonts: [], uneven: false },
  ...{ turned: false, hidden: null, over: null },
});

const pageOf = (words: string[], imageShare = 0): Page => ({
  ...{ width: 600, height: 800, annotations: [], imageShare },
  words: words.map((text, index) => word(text, index * 60)),
});

test.each([
  ['plain', ['BSN', '111222333'], [[60, 10, 110, 20]]],
  ['with points', ['BSN:', '1112.22.333'], [[60, 10, 110, 20]]],
  ['in three words', ['nr', '111', '222', '333'], [[60, 10, 230, 20]]],
  ['in one word with its label', ['BSN:111222333'], [[0, 10, 50, 20]]],
  ['with a wrong digit behind its label', ['BSN', '111222334'], [[60, 10, 110, 20]]],
  ['within a longer number', ['X', '9111222333'], [[60, 10, 110, 20]]],
  ['none', ['Netto', '2.684,44', 'NL91', 'ABNA', '0417', '1643', '00'], []],
])('a citizen service number is covered: %s', (_, words, boxes) => {
  expect(citizenNumbersOn(pageOf(words))).toEqual(boxes);
});

test('a page whose text is an image is covered as a whole', () => {
  expect(citizenNumbersOn(pageOf([], 0.9))).toEqual([[0, 0, 600, 800]]);
});
