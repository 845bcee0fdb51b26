import { examine, readDocument } from '#activities/checks/document/examine.ts';
import type { Readings } from '#activities/checks/document/judging/readings.ts';
import { loadModels } from '#activities/checks/document/reading/models.ts';
import { decodedSide } from '#activities/checks/document/recapture/decoded-side.ts';
import { openRecaptureNetwork } from '#activities/checks/document/recapture/recapture-network.ts';
import { textNetworks } from '#activities/checks/networks/text-networks.ts';
import type { Pictures } from './kinds.ts';

const tools = { models: await loadModels(await textNetworks()), recapture: await openRecaptureNetwork() };

/** Examines pictures, and counts the seconds of the processor. The words are those of integrity, expiry, check digits and consistency. */
export async function examined(
  { front, back }: Pictures,
  today: string,
): Promise<{ said: string[]; seconds: number }> {
  const before = process.cpuUsage();
  const { checks } = await examine(await sidesOf({ front, back }), today, tools);
  const { user, system } = process.cpuUsage(before);
  return { said: checks.map(({ result }) => result), seconds: (user + system) / 1e6 };
}

/** What is read from pictures. */
export const read = async (pictures: Pictures): Promise<Readings> =>
  (await readDocument(await sidesOf(pictures), tools)).readings;

async function sidesOf({ front, back }: Pictures) {
  const sides = [await decodedSide(front), back === null ? undefined : await decodedSide(back)];
  return sides.filter((side) => side !== undefined);
}
