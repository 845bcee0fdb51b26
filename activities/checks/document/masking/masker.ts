import { z } from 'zod';
import type { Isolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPrograms, NotStarted } from '#platform/isolated/programs.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { DocumentMasker, DocumentPictures, MaskedDocument, MaskingRequest } from '../../port.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  readyMs: 10_000,
  jobMs: 120_000,
  answerBytesMax: 40_000_000,
  memoryBytesMax: 2_500_000_000,
};

type Options = {
  isolation: Isolation;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
  /** Replaces parts of the program, for tests of its failures. */
  program?: Partial<Program>;
};

/** Masks documents one after the other, each in a process of its own, as the document reader examines them. */
export function startDocumentMasker({
  isolation,
  log,
  instruments,
  program: other,
}: Options): DocumentMasker {
  const programs = createPrograms({
    ...{ isolation, log, instruments },
    program: { ...program, ...other },
    name: 'document',
    sparesMax: 0,
  });
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const masked = async (
    { front, back }: DocumentPictures,
    request: MaskingRequest,
  ): Promise<MaskedDocument> => {
    if (closed) throw new Error('The document masker is closed');
    const sides = back === null ? [front] : [front, back];
    const answer = await programs
      .run([Buffer.from(JSON.stringify(request)), ...sides])
      .catch(unlessNotStarted);
    const found = Array.isArray(answer) ? maskedOf(answer, back !== null) : undefined;
    if (found === undefined) throw new Error('The document could not be masked');
    return found;
  };

  return {
    mask(pictures, request) {
      const result = last.then(() => masked(pictures, request));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      closed = true;
      await programs.close();
    },
  };
}

/** A process that could not be started masked nothing, like one that died. */
function unlessNotStarted(error: unknown): undefined {
  if (!(error instanceof NotStarted)) throw error;
}

const Found = z.strictObject({ bsnDetected: z.boolean(), inDoubt: z.boolean() });

/** Checks an answer, because a picture may have taken over the process that gave it. Returns undefined if it is not in order. */
function maskedOf(
  [words, portrait, front, back, ...more]: readonly Buffer[],
  hasBack: boolean,
): MaskedDocument | undefined {
  const found = Found.safeParse(parsed(String(words))).data;
  if (found === undefined || portrait === undefined || front === undefined || more.length > 0)
    return undefined;
  const isInOrder =
    isJpeg(front) &&
    (portrait.length === 0 || isJpeg(portrait)) &&
    (hasBack ? back !== undefined && isJpeg(back) : back === undefined);
  if (!isInOrder) return undefined;
  return { ...found, front, back: back ?? null, portrait: portrait.length === 0 ? null : portrait };
}

const isJpeg = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(jpegStart) && bytes.subarray(-2).equals(jpegEnd);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const jpegEnd = Buffer.from([0xff, 0xd9]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
