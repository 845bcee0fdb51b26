import type { Check } from '#contract/workflows.ts';

/** Clean JPEG bytes; `back` is null for a passport. */
export type DocumentPictures = { front: Uint8Array; back: Uint8Array | null };

/** Examines the pictures of a document: the four document checks, in the order of their catalogue. */
export type DocumentEngine = {
  check(pictures: DocumentPictures, today: Date): Promise<Check[]>;
  close(): Promise<void>;
};
