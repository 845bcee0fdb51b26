import type { Check } from '#contract/workflows.ts';

/** Clean upright JPEGs, as `takePicture` gives them. A passport has no back. */
export type DocumentPictures = { front: Uint8Array; back: Uint8Array | null };

/** What can examine photographs of an identity document. Nothing that it reads comes out of it, only what it makes of it. */
export type DocumentReader = {
  /**
   * The document checks of decision 12, in its order. Rejects when the examination itself broke down, which says nothing of
   * the document and may be tried again.
   */
  check(pictures: DocumentPictures, today: Date): Promise<Check[]>;
  close(): Promise<void>;
};
