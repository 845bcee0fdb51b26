import { serve } from '#platform/isolated/serve.ts';
import { decodedColour } from '../document/masking/colour.ts';
import { openRecaptureNetwork } from '../document/recapture/recapture-network.ts';
import { openOnlyJpegs } from '../opened.ts';
import { compareFaces } from './compare.ts';
import { loadFaceTools } from './tools.ts';

openOnlyJpegs();
const nothing = Buffer.alloc(0);

/**
 * The program that compares two faces. The job is the side of the document with the portrait, and then the picture of the face. The answer
 * is what `compareFaces` says, as JSON. If the comparison fails, the program ends without an answer.
 */
await serve(
  async ([front = nothing, selfie = nothing]) => {
    const [document, face, tools, recapture] = await Promise.all([
      decodedColour(front),
      decodedColour(selfie),
      loadFaceTools(),
      openRecaptureNetwork(),
    ]);
    if (document === undefined || face === undefined) throw new Error('A picture cannot be opened');
    return [Buffer.from(JSON.stringify(await compareFaces(document, face, { ...tools, recapture })))];
  },
  { jobBytesMax: 40_000_000 },
);
