import type { MaskingRequest } from '../../port.ts';
import { type Colour, jpegOf } from './colour.ts';
import { type Covers, coveredSide, keptCovers, reviewCovers } from './covers.ts';
import { cutOut, hasPrint } from './portrait.ts';
import { type MaskingTools, type SeenDocument, seenDocument } from './seen.ts';
import { watermarked } from './watermark.ts';

export type CopyRequest = Pick<MaskingRequest, 'use' | 'coverPortrait'>;

export type Masked = {
  /** The masked JPEGs, in the order of the pictures. */
  copies: Buffer[];
  bsnDetected: boolean;
  inDoubt: boolean;
  /**
   * The photograph of the holder, for the reviewer, with whatever else the copy covers in it. Undefined if none was found, and of a kept copy
   * also if the copy shows it, or if the masking is in doubt.
   */
  portrait: Buffer | undefined;
};

/** Masks the pictures of one document. The first picture is the one with the portrait. */
export async function mask(
  pictures: readonly Colour[],
  request: MaskingRequest,
  tools: MaskingTools,
): Promise<Masked> {
  const { sides, ...found } = await cover(pictures, request, tools);
  const copies: Buffer[] = [];
  for (const side of sides)
    copies.push(await jpegOf(request.use === 'kept' ? await watermarked(side, request) : side));
  return { copies, ...found };
}

/** Covers what must not stay, without a watermark. */
export async function cover(
  pictures: readonly Colour[],
  { use, coverPortrait }: CopyRequest,
  tools: MaskingTools,
): Promise<Omit<Masked, 'copies'> & { sides: Colour[] }> {
  const isForReview = use === 'review';
  const seen = await seenDocument(pictures, isForReview || coverPortrait, tools);
  const inDoubt = isInDoubt(seen);
  const [front] = seen.sides;
  const face = front?.faces.find((one) => !hasPrint(one, front.read));
  const lacksPortrait = coverPortrait && face === undefined;
  const sides: Awaited<ReturnType<typeof coveredSide>>[] = [];
  for (const side of seen.sides) {
    const covers: Covers = isForReview
      ? reviewCovers(side, seen)
      : keptCovers(side, seen.facts, {
          coverPortrait,
          coverAll: inDoubt || (lacksPortrait && side === front),
        });
    sides.push(await coveredSide(side, covers, tools));
  }
  const isCutOut = isForReview || (coverPortrait && !inDoubt);
  const [first] = sides;
  const portrait = isCutOut && face && first ? await cutOut(first.withPhotographs, face) : undefined;
  return { sides: sides.map(({ copy }) => copy), bsnDetected: seen.bsns.all.length > 0, inDoubt, portrait };
}

/**
 * A document is in doubt if it may have a BSN and none was found in its print. A BSN in its zone must be in the print too: else there
 * is print that was not read.
 */
function isInDoubt({ facts, bsns: { inPrint } }: SeenDocument): boolean {
  if (facts === undefined) return true;
  if (!facts.isDutch) return false;
  return facts.bsns.length > 0 ? !facts.bsns.some((bsn) => inPrint.includes(bsn)) : inPrint.length === 0;
}
