import type { Isolation } from '../isolated/isolation.ts';
import type { Program } from '../isolated/program.ts';
import { createPrograms } from '../isolated/programs.ts';
import type { Log } from '../log.ts';
import type { Instruments } from '../telemetry/instruments.ts';
import { type Picture, type PictureFault, type PictureKind, pictureFaults, sideMax } from './picture.ts';

export type PictureDecoder = {
  /**
   * Encodes an uploaded JPEG, PNG or WebP again in a process of its own, or returns the fault of the picture. If the process dies of
   * the picture, takes too long or answers nonsense, the fault is `not_a_picture`: the picture is not tried again. Throws
   * `NotStarted` if no process could be started.
   */
  take(upload: Uint8Array, kind: PictureKind): Promise<Picture | { fault: PictureFault }>;
  close(): Promise<void>;
};

/** The most that a picture of this size takes as a JPEG. Pure noise takes less than one byte a pixel. */
const jpegBytesMax = 2 * sideMax * sideMax;

const program: Program = {
  file: new URL('./decoder.ts', import.meta.url),
  readyMs: 10_000,
  jobMs: 20_000,
  answerBytesMax: jpegBytesMax + 1_000,
  memoryBytesMax: 1_200_000_000,
};

type Options = {
  isolation: Isolation;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
  /** Replaces parts of the program, for tests of its failures. */
  program?: Partial<Program>;
};

/** The number of pictures that are decoded at the same time, each in a process that was started ahead. */
export const decodersMax = 2;

export function createPictureDecoder({
  isolation,
  log,
  instruments,
  program: other,
}: Options): PictureDecoder {
  const programs = createPrograms({
    ...{ isolation, log, instruments },
    program: { ...program, ...other },
    name: 'picture',
    sparesMax: decodersMax,
  });
  return {
    async take(upload, kind) {
      const answer = await programs.run([Buffer.from(kind), upload]);
      return Array.isArray(answer) ? pictureOf(answer) : { fault: 'not_a_picture' };
    },
    close: programs.close,
  };
}

/** Checks an answer, because an upload may have taken over the process that gave it. */
function pictureOf([fault, jpeg, ...more]: readonly Buffer[]): Picture | { fault: PictureFault } {
  const known = pictureFaults.find((each) => each === String(fault));
  if (known !== undefined) return { fault: known };
  const isPicture = more.length === 0 && jpeg !== undefined && isJpeg(jpeg);
  return isPicture ? { jpeg } : { fault: 'not_a_picture' };
}

const isJpeg = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(jpegStart) && bytes.subarray(-2).equals(jpegEnd);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const jpegEnd = Buffer.from([0xff, 0xd9]);
