import { type Drawing, perMm } from '../bsn/draw.ts';
import { drawLicenceFront, licenceOf } from '../field/licence.ts';
import { drawPage, pageOf, styleOf } from '../field/page.ts';
import { between, either, holder, oneOf, type Random } from '../field/people.ts';
import type { FineLine, Ground, Scene } from './scene.ts';
import type { Light } from './sensor.ts';
import { inDots, inDrops, type Screen, screenOf } from './surfaces.ts';

/** How a document looks that is drawn for a scene. */
export type Drawn = (random: Random) => Promise<Drawing>;

/** What is in a picture: a document itself, or something that shows one. Each picture is made from a seed alone. */
export const kinds: Record<string, (random: Random, page: Drawn) => Promise<Scene>> = {
  document: itself,
  'screen of a computer, sharp': (random, page) =>
    onScreen(random, page, desktop(random), between(random, 0.35, 0.7)),
  'screen of a computer, not sharp': (random, page) =>
    onScreen(random, page, desktop(random), between(random, 0.9, 1.5)),
  'screen of a phone': (random, page) => onScreen(random, page, phone(random), between(random, 0.35, 0.9)),
  'print in dots': (random, page) =>
    onPaper(random, page, dots(random, between(random, 0.16, 0.34), 'dots', true)),
  'copy in black and white': (random, page) =>
    onPaper(
      random,
      page,
      random() < 0.6
        ? dots(random, between(random, 0.17, 0.25), oneOf(random, ['dots', 'lines'] as const), false)
        : drops(random, false),
    ),
  'copy in colour, laser': (random, page) =>
    onPaper(
      random,
      page,
      dots(random, between(random, 0.12, 0.19), oneOf(random, ['dots', 'lines'] as const), true),
    ),
  'copy in colour, ink-jet': (random, page) => onPaper(random, page, drops(random, true)),
};
export const kindNames = Object.keys(kinds);

/** What tells kinds apart is what shows the document. How sharp the print, the lens and the light are is drawn alike for each of them. */
async function sceneOf(random: Random, page: Drawn, shown: Partial<Scene> = {}): Promise<Scene> {
  const drawing = await page(random);
  const most = oneOf(random, [3, 9, 15]);
  const bright = between(random, 0.45, 1);
  return {
    drawing,
    lines: Array.from({ length: Math.floor(random() * 4) }, () => fineLine(random)),
    surface: () => () => undefined,
    detail: between(random, 0.04, 0.09),
    ground: groundOf(random),
    pitch: either(random, 0, most),
    yaw: either(random, 0, most),
    roll: either(random, 0, most),
    across: oneOf(random, [1800, 1920, 2400, 2592, 3264, 4000]),
    share: between(random, 0.55, 0.78),
    blur: between(random, 0.35, 1.5),
    light: {
      cast: [between(random, 0.93, 1.05), 1, between(random, 0.9, 1.05)],
      ...{ bright, slope: between(random, -0.25, 0.25) },
      // Lamps that flicker make bands as screens do.
      bands: random() < 0.3 ? between(random, 0.01, 0.08) : 0,
      bandPixels: between(random, 200, 1500),
      glare: random() < 0.3 ? between(random, 0.02, 0.15) : 0,
    },
    sensor: {
      electrons: bright * Math.exp(between(random, Math.log(250), Math.log(6000))),
      smooth: oneOf(random, [0, 1, 2]),
      sharpen: between(random, 0, 0.8),
      quality: Math.round(between(random, 40, 96)),
    },
    seed: 1 + Math.floor(1e6 * random()),
    ...shown,
  };
}

/** In some documents a part was printed in dots by the state itself, such as the portrait. */
async function itself(random: Random, page: Drawn): Promise<Scene> {
  const scene = await sceneOf(random, page);
  if (random() < 0.7) return scene;
  const printed = dots(random, between(random, 0.08, 0.2), 'dots', random() < 0.5);
  const [left, top] = [between(random, -0.48, 0.1), between(random, -0.4, 0)];
  const { width, height } = scene.drawing;
  return {
    ...scene,
    surface: (spread) => {
      const surface = printed(spread);
      return (light, across, down) => {
        const [right, below] = [(across * perMm) / width - left, (down * perMm) / height - top];
        if (right > 0 && right < 0.28 && below > 0 && below < 0.5) surface(light, across, down);
      };
    },
  };
}

/** A document with the data of a person by chance. */
export const newPage: Drawn = async (random) => {
  const person = holder(random);
  if (random() < 0.15) return drawLicenceFront(licenceOf(random, person));
  const format = oneOf(random, ['TD3', 'TD3', 'TD2', 'TD1'] as const);
  const page = pageOf(person, format, { ...styleOf(random), tint: between(random, 4, 14) });
  return (await drawPage(page)).front;
};

/** Guilloches wind. Some documents have fine lines that hardly do. */
const fineLine = (random: Random): FineLine => ({
  mm: between(random, 0.22, 0.9),
  turn: between(random, 0, Math.PI),
  wind: random() < 0.15 ? between(random, 0, 1) : between(random, 1.5, 8),
  strength: between(random, 0.05, 0.35),
  ink: oneOf<Light>(random, [
    [0.9, 0.3, 0.1],
    [0.2, 0.8, 0.4],
    [0.1, 0.3, 0.9],
    [0.6, 0.6, 0.6],
    [0.7, 0.2, 0.6],
  ]),
});

function groundOf(random: Random): Ground {
  const kind = oneOf(random, ['plain', 'weave', 'weave', 'wood', 'grid', 'keys'] as const);
  const shade = between(random, 0.08, 0.6);
  const mm =
    { weave: between(random, 0.4, 1.4), keys: 19 }[kind as 'weave' | 'keys'] ?? between(random, 4, 10);
  return {
    ...{ kind, mm },
    colour: [shade * between(random, 0.8, 1.25), shade, shade * between(random, 0.6, 1.2)],
  };
}

type Shining = Omit<Screen, 'turn' | 'haze' | 'black' | 'pitch'> & { across: number };

/** A screen of a computer: the document takes so many of its pixels. */
const desktop = (random: Random): Shining => ({
  layout: oneOf(random, ['stripes', 'stripes', 'reversed'] as const),
  across: between(random, 480, 1700),
});

/** Most phones share red and blue among pixels. The document lies across the phone, or stands in it. */
const phone = (random: Random): Shining => ({
  layout: oneOf(random, ['diamonds', 'diamonds', 'stripes'] as const),
  across: between(random, 1000, 2300),
});

async function onScreen(
  random: Random,
  page: Drawn,
  { layout, across }: Shining,
  blur: number,
): Promise<Scene> {
  const scene = await sceneOf(random, page);
  const pitch = scene.drawing.width / perMm / across;
  const made = {
    ...{ layout, pitch },
    turn: either(random, 0, oneOf(random, [0.5, 4, 12])) * (Math.PI / 180),
    haze: between(random, 0.002, 0.03),
    black: between(random, 0.0005, 0.004),
  };
  return {
    ...scene,
    blur,
    surface: (spread) => screenOf(made, spread),
    finest: pitch,
    detail: Math.hypot(scene.detail, 0.35 * pitch),
    ground: { kind: 'viewer', mm: 1, colour: [0.03, 0.03, 0.03] },
  };
}

/** What was printed lies on the same tables. */
async function onPaper(random: Random, page: Drawn, surface: Scene['surface']): Promise<Scene> {
  return sceneOf(random, page, { surface });
}

function dots(random: Random, pitch: number, shape: 'dots' | 'lines', colours: boolean): Scene['surface'] {
  const made = {
    pitch,
    shape,
    colours,
    turn: between(random, 0, Math.PI / 2),
    gain: between(random, 0.03, 0.15),
  };
  const shifts = Array.from({ length: 4 }, () => random());
  return (spread) => {
    let next = 0;
    return inDots(made, spread, () => shifts[next++] ?? 0);
  };
}

function drops(random: Random, colours: boolean): Scene['surface'] {
  const made = {
    drop: Math.exp(between(random, Math.log(0.02), Math.log(0.09))),
    chance: between(random, 0.4, 1),
    turn: between(random, 0, Math.PI / 2),
    gain: between(random, 0.03, 0.12),
    colours,
  };
  return (spread) => inDrops(made, spread);
}
