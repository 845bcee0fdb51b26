/**
 * A machine-readable zone as two independent readers read it. Reader A (`a`) is a glyph matcher (`row.ts`). Reader B (`b`) is a
 * neural network (`recogniser.ts`). A reading is a list of lines, and a line is a list of characters. '' means that the reader saw
 * no character at a place.
 */
export type ZoneReadings = {
  a: string[][];
  b: string[][];
  /** The lowest fit among the glyphs of reader A, from 0 to 1. */
  fit: number;
};

/** All text that was read from a document. This text never leaves the document reader. */
export type Readings = {
  zone: ZoneReadings | undefined;
  /** The printed lines outside the zone, as read by reader B. */
  print: string[];
};

export const nothingRead: Readings = { zone: undefined, print: [] };
