import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { CopyUse, LookResult, PictureKind } from '#contract/enums.ts';
import type { FaceFinding } from '#contract/examinations.ts';
import type { IncomePaper, JudgedBy, Judgement } from '#contract/income/papers.ts';
import type { MeasuredFrame } from '#contract/movements.ts';
import type { Check } from '#contract/workflows.ts';

/** Upright JPEGs, as `takePicture` returns them. `back` is null for a passport. */
export type DocumentPictures = { front: Uint8Array; back: Uint8Array | null };

/** `read` is what the document says, and where: personal data, for the member who decides alone. Null if nothing was read. */
export type ExaminedDocument = { checks: Check[]; read: ReadDocument | null };

/** Examines photographs of an identity document. */
export type DocumentReader = {
  /**
   * Returns the document checks of decision 12, in the order of that decision, and what was read where. If the examination itself fails, the promise
   * rejects. A rejection says nothing about the document, and the caller may try again.
   */
  check(pictures: DocumentPictures, today: Date): Promise<ExaminedDocument>;
  close(): Promise<void>;
};

/**
 * How far two faces are apart, or why they could not be compared. A distance says nothing about what a face looks like. `recaptured` is the
 * probability, from 0 to 1, that the photograph of the face shows a screen, a print or a copy.
 */
export type ComparedFaces = { distance: number; recaptured: number } | { finding: FaceFinding };

/** Compares the portrait on a document with the photograph of a face. No description of a face leaves it. */
export type FaceComparer = {
  /** Rejects if the comparison itself fails, which says nothing about the faces. `document` is the side with the portrait. */
  compare(document: Uint8Array, selfie: Uint8Array): Promise<ComparedFaces>;
  close(): Promise<void>;
};

/** Measures again what a browser sent as frames of somebody who moves. No description of a face leaves it. */
export type LivenessMeasurer = {
  /** Measures each frame. Rejects if the measuring itself fails, which says nothing about the person. */
  measure(selfie: Uint8Array, frames: readonly Uint8Array[]): Promise<MeasuredFrame[]>;
  close(): Promise<void>;
};

/** What a masked copy is for. What is written over it, and whether it covers the photograph of the holder, is of a kept one alone. */
export type MaskingRequest = {
  /** `review`: for the member who decides, without a watermark and with the photograph. `kept`: for a file. */
  use: CopyUse;
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
  /** The photograph of the holder, cut out of the copy before it was covered there. Null if it was not to be, and in doubt. */
  portrait: Uint8Array | null;
  /** The photograph of the face, if it shows a document of which something was covered. */
  selfie?: Uint8Array | null;
  /** True if a number for which the test of eleven holds was found in print, zone or barcode. */
  bsnDetected: boolean;
  /** True if the document may have a BSN that was not found. Then only names, dates and the document's number stay uncovered. */
  inDoubt: boolean;
};

export type DocumentMasker = {
  /** If the masking itself fails, the promise rejects. There is no copy then, and the caller may try again. */
  mask(
    pictures: DocumentPictures & { selfie?: Uint8Array | null },
    request: MaskingRequest,
  ): Promise<MaskedDocument>;
  close(): Promise<void>;
};

/** Looks quickly at one picture, so that the person hears at once whether it is what was asked for. It makes no check. */
export type PictureLooker = {
  /** Rejects if the look itself fails, which says nothing about the picture. */
  look(kind: PictureKind, jpeg: Uint8Array, today: Date): Promise<LookResult>;
  /** Says that a picture may come soon, so that its answer does not wait for the start of a program. */
  expect(): void;
  close(): Promise<void>;
};

/** A file as it was read, and a JPEG of each page, with citizen service numbers covered. `pages` is undefined if the file gives none. */
export type ReadPdf = { facts: IncomePaper; pages: Uint8Array[] | undefined };

/** Reads the PDFs that tell an income, and judges them. */
export type IncomeReader = {
  /**
   * Reads one file. A file that is hostile, or that takes too much, is a fact and not a failure. Rejects if the reading itself fails,
   * which says nothing about the file, and the caller may try again.
   */
  read(pdf: Uint8Array): Promise<ReadPdf>;
  /**
   * Says what the facts of all papers of a case mean together. The same papers on the same day always give the same judgement. Undefined if it
   * takes too much, so that a person has to look. Rejects as `read` does.
   */
  judge(
    papers: readonly { id: string; facts: IncomePaper }[],
    by: Omit<JudgedBy, 'signedTypes'>,
  ): Promise<Judgement | undefined>;
  close(): Promise<void>;
};
