import { pictureKinds } from '#contract/enums.ts';
import { serveGiven } from '#platform/isolated/serve.ts';
import { loadLandmarks } from '../../face/landmarks.ts';
import { openOnlyJpegs } from '../../opened.ts';
import { loadCodeReader } from '../masking/codes.ts';
import { loadFaceNetwork } from '../masking/face-network.ts';
import { loadModels } from '../reading/models.ts';
import { lookAt } from './look.ts';
import { seenIn } from './reduced.ts';
import { warmUp } from './warm-up.ts';

const nothing = Buffer.alloc(0);

openOnlyJpegs();

/**
 * The program that looks quickly at one picture. The job is the kind of the picture, a calendar day such as `2026-11-21`, and the
 * picture. If the look fails, the program ends without an answer, and its errors go nowhere, since they could quote text of the document.
 */
await serveGiven(
  async (networks) => {
    const [models, faces, landmarks] = await Promise.all([
      loadModels(networks),
      loadFaceNetwork(),
      loadLandmarks(),
      loadCodeReader(),
    ]);
    const tools = { models, faces, landmarks };
    await warmUp(tools);
    return async ([named = nothing, today = nothing, jpeg = nothing]) => {
      const kind = pictureKinds.find((each) => each === String(named));
      const seen = await seenIn(jpeg);
      if (kind === undefined || seen === undefined) throw new Error('There is no picture to look at');
      return [Buffer.from(await lookAt(seen, kind, String(today), tools))];
    };
  },
  { jobBytesMax: 20_000_000 },
);
