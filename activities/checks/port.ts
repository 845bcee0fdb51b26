import type { Check } from '#contract/workflows.ts';

/** Upright JPEGs, as `takePicture` returns them. A passport has no back. */
export type DocumentPictures = { front: Uint8Array; back: Uint8Array | null };

/** Examines photographs of an identity document. It returns the results of checks, never the text that it read. */
export type DocumentReader = {
  /**
   * The document checks of decision 12, in its order. Rejects if the examination itself failed. That says nothing about the
   * document, and the caller may try again.
   */
  check(pictures: DocumentPictures, today: Date): Promise<Check[]>;
  close(): Promise<void>;
};
