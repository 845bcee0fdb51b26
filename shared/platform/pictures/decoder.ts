import { limits } from '#contract/limits.ts';
import { serve } from '../isolated/serve.ts';
import { drawLogo, takePicture } from './redraw.ts';

const empty = Buffer.alloc(0);

/** The program that decodes one upload. The job is the kind and the upload; the answer is the fault or else the picture. */
await serve(
  async ([kind = empty, upload = empty]) => {
    if (String(kind) === 'logo') {
      const drawn = await drawLogo(upload);
      return 'fault' in drawn ? [Buffer.from(drawn.fault), empty] : [empty, drawn.png];
    }
    const taken = await takePicture(upload, String(kind) === 'portrait' ? 'portrait' : 'document');
    return 'fault' in taken ? [Buffer.from(taken.fault), empty] : [empty, taken.jpeg];
  },
  { jobBytesMax: limits.pictureSizeBytesMax + 1_000 },
);
