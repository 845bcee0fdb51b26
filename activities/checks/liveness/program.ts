import { serve } from '#platform/isolated/serve.ts';
import { decodedColour } from '../document/masking/colour.ts';
import { loadFaceTools } from '../face/tools.ts';
import { decodedFrame } from './decoded-frame.ts';
import { measureFrames } from './measure-frames.ts';

const nothing = Buffer.alloc(0);

/**
 * The program that measures the frames of a person who moves. The job is the picture of the face, and then the frames in their order. The
 * answer is what was measured on each frame, as JSON. Descriptions of faces are forgotten with the program.
 */
await serve(
  async ([picture = nothing, ...frames]) => {
    const [selfie, tools] = await Promise.all([decodedColour(picture), loadFaceTools()]);
    const measured = await measureFrames(
      selfie,
      frames.map((frame) => () => decodedFrame(frame)),
      tools,
    );
    return [Buffer.from(JSON.stringify(measured))];
  },
  { jobBytesMax: 40_000_000 },
);
