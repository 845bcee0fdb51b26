import { z } from 'zod';
import { frameLimits, movementSeconds, movements } from './movements.ts';

const jpegBytesMin = 4;
const list = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(frameLimits.count.min).max(frameLimits.count.max);

/** The line of JSON before the frames that a browser sends: the milliseconds from the first frame to each, and the size of each in bytes. */
export const FramesHead = z.strictObject({
  times: list(
    z
      .int()
      .min(0)
      .max(movementSeconds.longer * 1_000),
  ),
  sizes: list(z.int().min(jpegBytesMin).max(frameLimits.bytesMax)),
});

/** The same before the frames as they are stored, with what the person was asked for. */
export const AskedFramesHead = FramesHead.extend({ asked: z.array(z.enum(movements)).min(1) });
