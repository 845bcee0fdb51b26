import type { PrintLine } from '#activities/checks/document/judging/readings.ts';

/** Printed lines one below the other, with their left edges at the same place. */
export const stacked = (texts: readonly string[], left = 0): PrintLine[] =>
  texts.map((text, index) => ({
    text,
    side: 0,
    left,
    right: left + 2 * text.length,
    middle: 4 * index,
    height: 3,
  }));
