import { z } from 'zod';
import type { Program } from '#platform/isolated/program.ts';
import { jsonOf } from '#platform/json.ts';
import { textNetworks } from '../../networks/text-networks.ts';
import type { DocumentMasker, MaskedDocument } from '../../port.ts';
import { type FewAtOnceOptions, fewAtOnce } from '../few-at-once.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  given: textNetworks,
  readyMs: 30_000,
  jobMs: 120_000,
  answerBytesMax: 40_000_000,
  memoryBytesMax: 2_500_000_000,
};

/** Masks documents one after the other, each in a process of its own, as the document reader examines them. */
export function startDocumentMasker(options: FewAtOnceOptions): DocumentMasker {
  const programs = fewAtOnce('masking', program, options);
  return {
    async mask({ front, back, selfie }, request) {
      const sides = back === null ? [front] : [front, back];
      const answer = await programs.run([Buffer.from(JSON.stringify(request)), selfie ?? nothing, ...sides]);
      const found = Array.isArray(answer) ? maskedOf(answer, back !== null) : undefined;
      if (found === undefined) throw new Error('The document could not be masked');
      return found;
    },
    close: programs.close,
  };
}

const nothing = Buffer.alloc(0);

const Found = z.strictObject({ bsnDetected: z.boolean(), inDoubt: z.boolean() });

/** Checks an answer, because a picture may have taken over the process that gave it. Returns undefined if it is not in order. */
function maskedOf(
  [words, portrait, selfie, front, back, ...more]: readonly Buffer[],
  hasBack: boolean,
): MaskedDocument | undefined {
  const found = Found.safeParse(jsonOf(words)).data;
  if (found === undefined || front === undefined || more.length > 0) return undefined;
  const isInOrder =
    isJpeg(front) &&
    [portrait, selfie].every((one) => one !== undefined && (one.length === 0 || isJpeg(one))) &&
    (hasBack ? back !== undefined && isJpeg(back) : back === undefined);
  if (!isInOrder) return undefined;
  return { ...found, front, back: back ?? null, portrait: ifAny(portrait), selfie: ifAny(selfie) };
}

const ifAny = (jpeg: Buffer | undefined): Buffer | null =>
  jpeg === undefined || jpeg.length === 0 ? null : jpeg;

const isJpeg = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(jpegStart) && bytes.subarray(-2).equals(jpegEnd);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const jpegEnd = Buffer.from([0xff, 0xd9]);
