import { decodedSide } from '#activities/checks/document/decoded-side.ts';
import { examine } from '#activities/checks/document/examine.ts';
import { readGlyphs } from '#activities/checks/document/glyphs.ts';
import { loadModels } from '#activities/checks/document/models.ts';
import { templatesOf } from '#activities/checks/document/templates.ts';
import type { Pictures } from './kinds.ts';

const tools = { models: await loadModels(), templates: templatesOf(await readGlyphs()) };

/** Examines pictures, and counts the seconds of the processor. The words are those of integrity, expiry, check digits and consistency. */
export async function examined(
  { front, back }: Pictures,
  today: string,
): Promise<{ said: string[]; seconds: number }> {
  const before = process.cpuUsage();
  const sides = [await decodedSide(front), back === null ? undefined : await decodedSide(back)];
  const checks = await examine(
    sides.filter((side) => side !== undefined),
    today,
    tools,
  );
  const { user, system } = process.cpuUsage(before);
  return { said: checks.map(({ result }) => result), seconds: (user + system) / 1e6 };
}
