import type { Colour } from '../masking/colour.ts';
import { firstFound } from '../masking/faces.ts';
import { stripSize } from '../reading/strip.ts';
import { type LookTools, lookAt, quickSearch } from './look.ts';

const [width, height] = [1600, 1200];

/**
 * Runs everything once on an empty picture, since the first run of a network is slower than those after it. The search that is made only
 * where no face is found takes too long for it.
 */
export async function warmUp(tools: LookTools): Promise<void> {
  const empty: Colour = { pixels: Buffer.alloc(3 * width * height, 128), width, height };
  const seen = { picture: empty, closer: async () => empty };
  const blank = { pixels: new Uint8Array(stripSize.width * stripSize.height), ...stripSize };
  await tools.models.zone([blank, blank]);
  await lookAt(seen, 'card_back', '2026-01-01', tools);
  await firstFound(empty, 0, [quickSearch], tools.faces);
}
