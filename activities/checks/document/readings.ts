/** A machine-readable zone as both readers see it: its lines, each place one character, or '' where a reader saw none. */
export type ZoneReadings = {
  a: string[][];
  b: string[][];
  /** How well the worst of reader A's glyphs fits, 0 to 1. */
  fit: number;
};

/** What was read of a document. It never leaves the document reader. */
export type Readings = {
  zone: ZoneReadings | undefined;
  /** The lines of print outside the zone, as reader B reads them. */
  print: string[];
};

export const nothingRead: Readings = { zone: undefined, print: [] };
