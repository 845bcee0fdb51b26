import { z } from 'zod';
import {
  checkResults,
  type IncomeDocumentType,
  incomeCheckKinds,
  incomeDocumentTypes,
  payFrequencies,
} from '../enums.ts';
import { hiddenWays, signs, unreadableReasons } from './signs.ts';

/** Bounds of what is read of one file. A file with more is not read, and a person looks at it: nothing is left out in silence. */
export const paperLimits = {
  /** Documents of one income check. */
  papersMax: 5,
  bytesMax: 10_000_000,
  pagesMax: 20,
  /** Characters on one page, and on all of them. */
  pageCharactersMax: 30_000,
  charactersMax: 120_000,
  /** Words on one page, and on all of them. */
  pageWordsMax: 3_000,
  wordsMax: 12_000,
  /** Things that a page draws, with those inside of forms. */
  pageObjectsMax: 40_000,
  /** Points of one image. A page of A3 that was scanned with 600 dots for an inch has fewer. */
  imagePointsMax: 80_000_000,
  /**
   * The number of earlier states of a file that are read. If there are more, the first, the last and some at even distances between them are
   * read. So no lasting change is missed.
   */
  revisionsMax: 12,
  signaturesMax: 12,
  annotationsMax: 400,
  /** Pictures of pages that are made, and their longer side in pixels. */
  picturesMax: 20,
  pictureSideMax: 1_600,
} as const;

const firstBytes = 1_024;

/** True if the bytes begin like a PDF. Some writers put a few bytes before. */
export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, firstBytes).includes('%PDF-');

const text = z.string().max(2_000);
const count = z.int().min(0);

/** Left, top, right and bottom, in points from the top left corner of the page as it is shown. */
const Box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type Box = z.output<typeof Box>;

const Word = z.strictObject({
  text: z.string().max(500),
  box: Box,
  /** The size of the letters in points, as they are shown. */
  size: z.number(),
  /** The font of most characters: its place in `fonts`. */
  font: count,
  /** Fonts of the digits, if they are set in more than one. */
  digitFonts: z.array(count).max(20),
  /** True if digits of one word have different sizes or stand on different lines. */
  uneven: z.boolean(),
  turned: z.boolean(),
  hidden: z.enum(hiddenWays).nullable(),
  /** The place of a hidden word on the same page over which this one was drawn. */
  over: count.nullable(),
});
export type Word = z.output<typeof Word>;

const Annotation = z.strictObject({
  kind: z.enum(['free_text', 'stamp', 'shape', 'redaction', 'field', 'signature', 'attachment', 'other']),
  box: Box,
  text,
  /** True if it can hide what lies under it. */
  opaque: z.boolean(),
});
export type Annotation = z.output<typeof Annotation>;

const Page = z.strictObject({
  width: z.number(),
  height: z.number(),
  words: z.array(Word).max(paperLimits.pageWordsMax),
  annotations: z.array(Annotation).max(paperLimits.annotationsMax),
  /** The share of the page that its images fill together, from 0 to 1. */
  imageShare: z.number().min(0).max(1),
});
export type Page = z.output<typeof Page>;

/** A difference between an earlier state of the file and the last one. */
const Change = z.strictObject({
  page: count,
  box: Box.nullable(),
  before: text,
  after: text,
});
export type Change = z.output<typeof Change>;

const Revision = z.strictObject({
  /** The number of bytes up to its end. */
  end: count,
  /** False if the file cannot be opened as it was then. */
  readable: z.boolean(),
  /** What the next revision changed on pages, and whether it changed how they look without changing words. */
  changes: z.array(Change).max(200),
  redrawn: z.boolean(),
  /** Annotations and filled fields that the next revision added, without those of signatures. */
  annotationsAdded: z.boolean(),
});
export type Revision = z.output<typeof Revision>;

const Signature = z.strictObject({
  kind: z.enum(['signature', 'timestamp']),
  /** `unknown`: it is made in a way that is not supported. */
  digest: z.enum(['holds', 'broken', 'unknown']),
  /** Whether its certificate leads to one of the anchors that were given, at the time of signing. */
  chain: z.enum(['trusted', 'untrusted', 'no_anchors']),
  signer: text.nullable(),
  signedAt: z.iso.datetime().nullable(),
  /** The number of bytes up to the end of what it covers. */
  end: count,
  /** What stands behind its end. */
  added: z.enum(['nothing', 'validation_data', 'other']),
});
export type Signature = z.output<typeof Signature>;

const Font = z.strictObject({ name: text, embedded: z.boolean() });
export type Font = z.output<typeof Font>;

const stamp = z.iso.datetime().nullable();

/** What a program found in a file. These are facts. What they mean is for the judge to say. */
export const IncomePaper = z.discriminatedUnion('readable', [
  z.strictObject({
    readable: z.literal(false),
    sha256: z.hash('sha256'),
    reason: z.enum(unreadableReasons),
  }),
  z.strictObject({
    readable: z.literal(true),
    sha256: z.hash('sha256'),
    /** A fingerprint of the words of all pages, in any order. Null if there are too few of them. */
    textSha256: z.hash('sha256').nullable(),
    pages: z.array(Page).min(1).max(paperLimits.pagesMax),
    fonts: z.array(Font).max(500),
    /** True if the file is locked against changes. It opens without a password. */
    locked: z.boolean(),
    made: z.strictObject({
      producer: text,
      creator: text,
      createdAt: stamp,
      modifiedAt: stamp,
      /** The same in the XMP packet. Null if it has none. */
      xmpCreatedAt: stamp,
      xmpModifiedAt: stamp,
      xmpProducer: text.nullable(),
    }),
    active: z.strictObject({
      javascript: z.boolean(),
      launch: z.boolean(),
      embeddedFiles: z.boolean(),
      /** Forms in XML, and actions that send or fetch data. */
      remote: z.boolean(),
    }),
    revisions: z.array(Revision).max(paperLimits.revisionsMax),
    signatures: z.array(Signature).max(paperLimits.signaturesMax),
  }),
]);
export type IncomePaper = z.output<typeof IncomePaper>;
export type ReadablePaper = Extract<IncomePaper, { readable: true }>;

/** A sign of something that a reviewer should see. The box is in points, as the page has them. */
const Signal = z.strictObject({
  kind: z.enum(incomeCheckKinds),
  documentId: text,
  /** Why, as a word that a page has a text for. */
  sign: z.enum(signs),
  page: count.nullable(),
  box: Box.nullable(),
  found: text.nullable(),
  expected: text.nullable(),
});
export type Signal = z.output<typeof Signal>;

const day = z.iso.date().nullable();
const cents = z.int().nullable();

const Result = z.strictObject({
  currency: z.literal('EUR'),
  employerName: text.nullable(),
  periodStart: day,
  periodEnd: day,
  grossCents: cents,
  netCents: cents,
  annualGrossEstimateCents: cents,
  payFrequency: z.enum(payFrequencies).nullable(),
});
export type Result = z.output<typeof Result>;

const JudgedDocument = z.strictObject({
  id: text,
  type: z.enum(incomeDocumentTypes).nullable(),
  pages: count.nullable(),
  issuedOn: day,
  periodStart: day,
  periodEnd: day,
});
export type JudgedDocument = z.output<typeof JudgedDocument>;

/** What the facts of all papers of a case mean together. */
export const Judgement = z.strictObject({
  checks: z.array(
    z.strictObject({
      kind: z.enum(incomeCheckKinds),
      result: z.enum(checkResults),
      confidence: z.number().min(0).max(1),
      documentId: text.nullable(),
    }),
  ),
  signals: z.array(Signal),
  documents: z.array(JudgedDocument),
  result: Result.nullable(),
});
export type Judgement = z.output<typeof Judgement>;

/** What papers are judged by, beside themselves. */
export type JudgedBy = {
  /** A calendar day such as `2026-11-21`. */
  today: string;
  /** The types that were asked for. Null if any will do. */
  wanted: readonly IncomeDocumentType[] | null;
  /** The name of the person of a linked verification. */
  linkedName: string | null;
  /** Those SHA-256 of the files and of their words (`textSha256`) that came with other checks of the organisation. */
  known: readonly string[];
  /** Types whose issuer signs every paper, as the configured anchors say. */
  signedTypes: readonly IncomeDocumentType[];
};
