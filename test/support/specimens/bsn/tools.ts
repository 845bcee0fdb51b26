import { loadCodeReader } from '#activities/checks/document/masking/codes.ts';
import { decodedColour, jpegOf } from '#activities/checks/document/masking/colour.ts';
import { loadFaceNetwork } from '#activities/checks/document/masking/face-network.ts';
import { type CopyRequest, cover } from '#activities/checks/document/masking/mask.ts';
import type { MaskingTools } from '#activities/checks/document/masking/seen.ts';
import { loadModels } from '#activities/checks/document/reading/models.ts';
import { textNetworks } from '#activities/checks/networks/text-networks.ts';

export async function maskingTools(): Promise<MaskingTools> {
  const [models, faces] = await Promise.all([
    loadModels(await textNetworks()),
    loadFaceNetwork(),
    loadCodeReader(),
  ]);
  return { models, faces };
}

/** Covers a specimen in this process. `opened` and `covered` are the pixels before and after. There is no watermark, since it could hide a number from the judge. */
export async function coverBoth(
  { front, back }: { front: Buffer; back: Buffer | null },
  request: CopyRequest,
  tools: MaskingTools,
) {
  const given = [front, back].filter((side) => side !== null);
  const pictures = await Promise.all(given.map((side) => decodedColour(side)));
  const opened = pictures.filter((picture) => picture !== undefined);
  const { sides, ...found } = await cover(opened, request, tools);
  return { ...found, opened, covered: sides, sides: await Promise.all(sides.map(jpegOf)) };
}
