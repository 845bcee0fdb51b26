import { AskedFramesHead, FramesHead } from '#contract/frames.ts';
import type { Movement } from '#contract/movements.ts';
import { jsonOf } from '#platform/json.ts';

/** The frames of a person who moves as asked, with the milliseconds from the first to each. The JPEGs are bytes of a stranger. */
export type Frames = { times: readonly number[]; jpegs: readonly Buffer[] };

/** The frames, and what the person was asked to do. */
export type AskedFrames = Frames & { asked: readonly Movement[] };

const headBytesMax = 4 * 1024;
const newline = 0x0a;

/** Takes apart what a browser sent: a line of JSON, and the JPEGs. Undefined if it is not in order. No picture is opened. */
export const framesIn = (bytes: Buffer): Frames | undefined => apart(bytes, FramesHead)?.frames;

/** The same with what was asked, as it is stored. */
export const framed = (asked: readonly Movement[], { times, jpegs }: Frames): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ times, sizes: jpegs.map(({ length }) => length), asked })}\n`),
    ...jpegs,
  ]);

/** Takes apart what was stored. Undefined if it is not in order. */
export function askedFramesIn(bytes: Buffer): AskedFrames | undefined {
  const found = apart(bytes, AskedFramesHead);
  return found && { ...found.frames, asked: found.head.asked };
}

function apart<Found extends { times: number[]; sizes: number[] }>(
  bytes: Buffer,
  schema: { safeParse(head: unknown): { data?: Found } },
): { head: Found; frames: Frames } | undefined {
  const end = bytes.subarray(0, headBytesMax).indexOf(newline);
  const { data: head } = schema.safeParse(end < 0 ? undefined : jsonOf(bytes.subarray(0, end)));
  if (head === undefined || head.times.length !== head.sizes.length) return undefined;
  const jpegs: Buffer[] = [];
  let at = end + 1;
  for (const size of head.sizes) {
    jpegs.push(bytes.subarray(at, at + size));
    at += size;
  }
  if (at !== bytes.length || !jpegs.every(beginsAsJpeg)) return undefined;
  return { head, frames: { times: head.times, jpegs } };
}

const beginsAsJpeg = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;
