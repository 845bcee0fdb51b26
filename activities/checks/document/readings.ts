/**
 * A machine-readable zone as two independent readers read it: reader A is a glyph matcher (`row.ts`), reader B a neural network
 * (`recogniser.ts`). Each has lines of characters; '' stands for a place in which the reader saw none.
 */
export type ZoneReadings = {
  a: string[][];
  b: string[][];
  /** The lowest fit among the glyphs of reader A, 0 to 1. */
  fit: number;
};

/** All text that was read from a document. It never leaves the document reader. */
export type Readings = {
  zone: ZoneReadings | undefined;
  /** The printed lines outside the zone, as read by reader B. */
  print: string[];
};

export const nothingRead: Readings = { zone: undefined, print: [] };
