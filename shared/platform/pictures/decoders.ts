import type { Isolation } from '../isolated/isolation.ts';
import type { Program } from '../isolated/program.ts';
import { createPrograms } from '../isolated/programs.ts';
import type { Log } from '../log.ts';
import type { Instruments } from '../telemetry/instruments.ts';
import {
  type Logo,
  logoBytesMax,
  type Picture,
  type PictureFault,
  type PictureKind,
  pictureFaults,
  sideMax,
} from './picture.ts';

export type PictureDecoder = {
  /**
   * Encodes an uploaded JPEG, PNG or WebP again in a process of its own, or returns the fault of the picture. If the process dies of
   * the picture, takes too long or answers nonsense, the fault is `not_a_picture`: the picture is not tried again. Throws
   * `NotStarted` if no process could be started.
   */
  take(upload: Uint8Array, kind: PictureKind): Promise<Picture | { fault: PictureFault }>;
  /** Draws a logo anew in the same way, as a PNG of `logoSides` and `logoBytesMax` at most. */
  logo(upload: Uint8Array): Promise<Logo | { fault: PictureFault }>;
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
      const drawn = checked(await programs.run([Buffer.from(kind), upload]), isJpeg);
      return Buffer.isBuffer(drawn) ? { jpeg: drawn } : drawn;
    },
    async logo(upload) {
      const drawn = checked(await programs.run([Buffer.from('logo'), upload]), isLogo);
      return Buffer.isBuffer(drawn) ? { png: drawn } : drawn;
    },
    close: programs.close,
  };
}

/** Checks an answer, because an upload may have taken over the process that gave it. */
function checked(answer: unknown, isFit: (bytes: Buffer) => boolean): Buffer | { fault: PictureFault } {
  if (!Array.isArray(answer)) return { fault: 'not_a_picture' };
  const [fault, drawn, ...more] = answer as Buffer[];
  const known = pictureFaults.find((each) => each === String(fault));
  if (known !== undefined) return { fault: known };
  return more.length === 0 && drawn !== undefined && isFit(drawn) ? drawn : { fault: 'not_a_picture' };
}

const isJpeg = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(jpegStart) && bytes.subarray(-2).equals(jpegEnd);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const jpegEnd = Buffer.from([0xff, 0xd9]);

const isLogo = (bytes: Buffer): boolean =>
  bytes.subarray(0, 8).equals(pngStart) && bytes.length <= logoBytesMax;
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
