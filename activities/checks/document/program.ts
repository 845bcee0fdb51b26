import { serveGiven } from '#platform/isolated/serve.ts';
import { openOnlyJpegs } from '../opened.ts';
import { examine } from './examine.ts';
import { loadModels } from './reading/models.ts';
import { decodedSide } from './recapture/decoded-side.ts';
import { openRecaptureNetwork } from './recapture/recapture-network.ts';

openOnlyJpegs();

/**
 * The program that examines one document. The job is a calendar day such as `2026-11-21`, and then the pictures, front first. If the
 * examination fails, the program ends without an answer, and its errors go nowhere, since they could quote text of the document.
 */
await serveGiven(
  async (networks) => {
    const [models, recapture] = [await loadModels(networks), await openRecaptureNetwork()];
    return async ([today = Buffer.alloc(0), ...pictures]) => {
      const sides = await Promise.all(pictures.map(decodedSide));
      const readable = sides.filter((side) => side !== undefined);
      const { checks, read } = await examine(readable, String(today), { models, recapture });
      return [checks, read].map((each) => Buffer.from(JSON.stringify(each)));
    };
  },
  { jobBytesMax: 40_000_000 },
);
