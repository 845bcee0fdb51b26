/**
 * A machine-readable zone as two independent readers read it. Reader A (`a`) is a network for zones alone (`reading/row.ts`). Reader B (`b`) is
 * one for any text (`reading/recogniser.ts`). A reading is a list of lines, and a line is a list of characters. '' means that the reader saw
 * no character at a place.
 */
export type ZoneReadings = {
  a: string[][];
  b: string[][];
  /** The lowest certainty among the places of reader A, from 0 to 1. */
  certainty: number;
};

/**
 * A printed line outside the zone, as read by reader B. The numbers are in pixels, as if the document stood upright: `left` and `right`
 * grow to the right, and `middle` grows downwards. Lines of another side are not comparable.
 */
export type PrintLine = {
  text: string;
  side: number;
  left: number;
  right: number;
  middle: number;
  height: number;
};

/** All text that was read from a document. This text never leaves the document reader. */
export type Readings = {
  zone: ZoneReadings | undefined;
  /** The printed lines of the document with the zone. Text beside the document is left out. */
  print: PrintLine[];
  /** True if the pictures show a line of another zone. */
  hasOtherZone: boolean;
  /** The numbers of driving licences in codes. They are sought only if the zone is that of one. */
  codeNumbers: string[];
  /** True if a picture may show a screen, a print or a copy instead of the document itself. */
  mayBeRecaptured: boolean;
};

export const nothingRead: Readings = {
  zone: undefined,
  print: [],
  hasOtherZone: false,
  codeNumbers: [],
  mayBeRecaptured: false,
};
