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
