import { serve } from '#platform/isolated/serve.ts';
import { decodedColour } from '../document/masking/colour.ts';
import { loadFaceTools } from '../face/tools.ts';
import { openOnlyJpegs } from '../opened.ts';
import { measureFrames } from './measure-frames.ts';

openOnlyJpegs();
const nothing = Buffer.alloc(0);

/** A frame has at most 480 x 480 pixels if it was made as asked. A larger one would only take time. */
const framePixelsMax = 1_300_000;

/**
 * The program that measures the frames of a person who moves. The job is the picture of the face, and then the frames in their order. The
 * answer is what was measured on each frame, as JSON. Descriptions of faces are forgotten with the program.
 */
await serve(
  async ([picture = nothing, ...frames]) => {
    const [selfie, tools] = await Promise.all([decodedColour(picture), loadFaceTools()]);
    const measured = await measureFrames(
      selfie,
      frames.map((frame) => () => decodedColour(frame, { pixelsMax: framePixelsMax })),
      tools,
    );
    return [Buffer.from(JSON.stringify(measured))];
  },
  { jobBytesMax: 40_000_000 },
);
