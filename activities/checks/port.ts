import type { Check } from '#contract/workflows.ts';

/** Upright JPEGs, as `takePicture` returns them. `back` is null for a passport. */
export type DocumentPictures = { front: Uint8Array; back: Uint8Array | null };

/** Examines photographs of an identity document. The reader returns the results of checks, never the text of the document. */
export type DocumentReader = {
  /**
   * Returns the document checks of decision 12, in the order of that decision. If the examination itself fails, the promise
   * rejects. A rejection says nothing about the document, and the caller may try again.
   */
  check(pictures: DocumentPictures, today: Date): Promise<Check[]>;
  close(): Promise<void>;
};

/** What is written over a masked copy, and whether the photograph of the holder is covered. */
export type MaskingRequest = {
  /** Names as the organisation wrote them. Only the first 80 characters of each are shown. */
  organisation: string;
  purpose: string | null;
  /** A calendar day such as `2026-11-23`. */
  date: string;
  language: 'en' | 'nl';
  coverPortrait: boolean;
};

/** The masked copies of a document, as JPEGs. */
export type MaskedDocument = {
  front: Uint8Array;
  back: Uint8Array | null;
  /** The photograph of the holder, cut out, if it was to be covered and was found. It is not masked. */
  portrait: Uint8Array | null;
  /** True if a number for which the test of eleven holds was found in print, zone or barcode. */
  bsnDetected: boolean;
  /** True if the document may have a BSN that was not found. Then only names, dates and the document's number stay uncovered. */
  inDoubt: boolean;
};

export type DocumentMasker = {
  /** If the masking itself fails, the promise rejects. There is no copy then, and the caller may try again. */
  mask(pictures: DocumentPictures, request: MaskingRequest): Promise<MaskedDocument>;
  close(): Promise<void>;
};
