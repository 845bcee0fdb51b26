import sharp from 'sharp';

/** A frame that shows nothing. */
export const emptyFrame = await sharp({ create: { width: 16, height: 12, channels: 3, background: '#888' } })
  .jpeg()
  .toBuffer();

type Recording = { times: readonly number[]; jpegs: readonly Uint8Array[] };

/** So many empty frames, all within a moment, since a test asks for the movements just before. */
export const emptyRecording = (count = 40): Recording => ({
  times: Array.from({ length: count }, (_, index) => 5 * index),
  jpegs: Array.from({ length: count }, () => emptyFrame),
});

/** Writes frames as the script of the page does. `head` replaces parts of the line before them. */
export const bytesOf = ({ times, jpegs }: Recording, head: object = {}): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ times, sizes: jpegs.map(({ length }) => length), ...head })}\n`),
    ...jpegs,
  ]);
