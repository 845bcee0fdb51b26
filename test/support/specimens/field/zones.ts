import { type Scene, take } from './camera.ts';
import { drawPage, pageOf, styleOf } from './page.ts';
import { between, either, holder, oneOf, type Random } from './people.ts';

type View = Omit<Scene, 'pieces'>;

const hand = (random: Random, reach: number): View => ({
  ...{ pitch: either(random, 0, reach), yaw: either(random, 0, reach), roll: either(random, 0, reach) },
  share: between(random, 0.62, 0.74),
});

/** How the camera is held, and how the page lies. */
const views = {
  'hand-held, within 9 degrees': (random) => hand(random, 9),
  'tilted, to 25 degrees': (random) => ({
    ...hand(random, 4),
    ...(random() < 0.5 ? { pitch: either(random, 9, 25) } : { yaw: either(random, 9, 25) }),
    share: between(random, 0.62, 0.68),
  }),
  'bent, to 3 mm': (random) => ({ ...hand(random, 4), bend: either(random, 0.2, 3) }),
  'on its side': (random) => ({ ...hand(random, 4), roll: either(random, 86, 94) }),
  'in poor light, not sharp': (random) => ({
    ...hand(random, 6),
    ...{
      blur: between(random, 0.6, 2.2),
      noise: between(random, 2, 9),
      quality: Math.round(between(random, 30, 80)),
    },
  }),
} satisfies Record<string, (random: Random) => View>;

export type ZoneKind = keyof typeof views;
export const zoneKinds = Object.keys(views) as ZoneKind[];

/** Draws a document of a format by chance and takes a photograph of each side, with what its zone says. */
export async function zonePictures(kind: ZoneKind, random: Random) {
  const view: (random: Random) => View = views[kind];
  const page = pageOf(holder(random), oneOf(random, ['TD3', 'TD3', 'TD2', 'TD1'] as const), styleOf(random));
  const { front, back } = await drawPage(page);
  const shot = (drawing: typeof front) =>
    take({ pieces: [{ drawing, x: 0, y: 0 }], seed: 1 + Math.floor(1e6 * random()), ...view(random) });
  return { zone: page.zone, front: await shot(front), back: back && (await shot(back)) };
}
