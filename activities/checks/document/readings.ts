/**
 * What the readers made of a document; the machine-readable zone line by line, each place one character, or '' where a reader
 * saw none. It never leaves the engine.
 */
export type Readings = {
  zone:
    | { a: string[][]; b: string[][] /** How well the worst of A's glyphs fits, 0 to 1. */; fit: number }
    | undefined;
  /** The lines of print outside the zone, as reader B reads them. */
  print: string[];
};

export const nothingRead: Readings = { zone: undefined, print: [] };
