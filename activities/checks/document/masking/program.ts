import { serveGiven } from '#platform/isolated/serve.ts';
import { openOnlyJpegs } from '../../opened.ts';
import { loadModels } from '../reading/models.ts';
import { loadCodeReader } from './codes.ts';
import { decodedColour, jpegOf } from './colour.ts';
import { loadFaceNetwork } from './face-network.ts';
import { mask } from './mask.ts';
import type { MaskingTools } from './seen.ts';
import { coverSelfie } from './selfie.ts';

openOnlyJpegs();
const nothing = Buffer.alloc(0);

/**
 * The program that masks one document. The job is the request as JSON, then the selfie or nothing, and then the pictures, front first.
 * The answer is what was found as JSON, then the portrait or nothing, then the selfie if something on it was covered, and then the
 * copies. If the masking fails, or a picture cannot be opened, the program
 * ends without an answer. Its errors go nowhere, since they could quote text of the document.
 */
await serveGiven(
  async (networks) => {
    const [models, faces] = await Promise.all([loadModels(networks), loadFaceNetwork(), loadCodeReader()]);
    const tools = { models, faces };
    return async ([request = nothing, selfie = nothing, ...jpegs]) => {
      const pictures = await Promise.all(jpegs.map((jpeg) => decodedColour(jpeg)));
      const opened = pictures.filter((picture) => picture !== undefined);
      if (opened.length < jpegs.length) throw new Error('A picture cannot be opened');
      const asked = JSON.parse(String(request));
      const { copies, portrait, bsnDetected, inDoubt } = await mask(opened, asked, tools);
      const coveredFace = selfie.length === 0 ? undefined : await coveredSelfie(selfie, tools);
      const found = Buffer.from(JSON.stringify({ bsnDetected, inDoubt }));
      return [found, portrait ?? nothing, coveredFace ?? nothing, ...copies];
    };
  },
  { jobBytesMax: 40_000_000 },
);

async function coveredSelfie(jpeg: Buffer, tools: MaskingTools): Promise<Buffer | undefined> {
  const picture = await decodedColour(jpeg);
  if (picture === undefined) throw new Error('A picture cannot be opened');
  const result = await coverSelfie(picture, tools);
  return result && jpegOf(result);
}
