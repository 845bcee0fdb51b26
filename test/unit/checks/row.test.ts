import { expect, test } from 'vitest';
import type { Grey } from '#activities/checks/document/reading/grey.ts';
import { besideCourse, lookAlong, rowOf } from '#activities/checks/document/reading/row.ts';
import { courseOf } from '#activities/checks/document/reading/strip.ts';
import { findZone } from '#activities/checks/document/reading/zone.ts';
import { openZoneNetwork } from '#activities/checks/document/reading/zone-network.ts';
import { type Canvas, canvas, ocrb, sample, sans, write } from '#test/support/specimens/canvas.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { licenceLineOf, zoneOf } from '#test/support/specimens/zone.ts';

const network = await openZoneNetwork();
const lettering = await ocrb();
const zone = zoneOf(eriksson, 'TD3');

const pitch = 24;
const [width, height] = [1500, 300];
const length = 44 * pitch;
/** Both lines of the zone on light paper, the upper one at 120 and the lower one 2.5 pitches below. */
const page = canvas(width, height, () => 210);
for (const [index, line] of zone.entries())
  write(page, line, (width - length) / 2, 120 - 15.5 + index * 60, {
    lettering,
    height: (pitch * 62) / 48,
    dark: 40,
  });

/** The page as a camera sees it whose right side is `far` as a share farther away, and whose lines are bent by so many pixels. */
function seen(far: number, bend: number): Canvas {
  return canvas(width, height, (x, y) => {
    const part = (x + 0.5 - width / 2) / (length / 2);
    const back = part / (1 - far * part);
    const level = y + 0.5 - height / 2 - bend * part * part;
    return sample(page, width / 2 + (back * length) / 2 - 0.5, height / 2 + level * (1 + far * back) - 0.5);
  });
}

const line = (far: number, bend: number) => ({
  ...{ x: width / 2, y: 120, angle: 0, length: length * 1.02, height: 44 },
  ...{ bend: bend / (length / 2) ** 2, taper: -far },
});

const textOf = (places: readonly ({ character: string } | undefined)[]) =>
  places.map((place) => place?.character ?? '').join('');

async function rowAt(picture: Canvas, course: ReturnType<typeof courseOf>) {
  const [sight] = await lookAlong(picture as Grey, [course], 44, network);
  return sight && rowOf(sight);
}

test.each([
  [0, 0],
  [0.12, 0],
  [-0.12, 0],
  [0.2, 0],
  [0, 20],
  [0, -20],
  [0.1, 15],
])(
  'a line whose end is farther away by %f and that is bent by %f pixels is read, and the one beside it',
  async (far, bend) => {
    const picture = seen(far, bend);
    const ends = { left: width / 2 - length / 2 / (1 - far), right: width / 2 + length / 2 / (1 + far) };
    const middle = (ends.left + ends.right) / 2;
    const found = { ...line(far, bend), x: middle, length: 1.01 * (ends.right - ends.left) };
    const row = await rowAt(picture, courseOf(found, 44));
    expect(textOf(row?.places ?? [])).toBe(zone[0]);
    const next = row && (await rowAt(picture, besideCourse(row, 1)));
    expect(textOf(next?.places ?? [])).toBe(zone[1]);
  },
);

const zoneIn = async (picture: Canvas, ...lines: ReturnType<typeof line>[]) =>
  (await findZone(picture as Grey, lines, network))?.map(({ places }) => textOf(places));

test('both lines are found from one, and from one that stands upside down', async () => {
  const upright = seen(0, 0);
  await expect(zoneIn(upright, line(0, 0))).resolves.toEqual(zone);
  const turned = canvas(width, height, (x, y) => sample(upright, width - 1 - x, height - 1 - y));
  await expect(zoneIn(turned, { ...line(0, 0), y: height - 120 })).resolves.toEqual(zone);
});

test.each([0.6, 0.75, 0.9])('a line of which the detector marked %f is read whole', async (share) => {
  const marked = { ...line(0, 0), length: length * share, x: width / 2 + ((1 - share) * length) / 2 };
  await expect(zoneIn(seen(0, 0), marked)).resolves.toEqual(zone);
});

test('a place that is covered is empty, and the others keep their places', async () => {
  const page = seen(0, 0);
  const place = 20;
  const middle = width / 2 - length / 2 + (place + 0.5) * pitch;
  const covered = canvas(width, height, (x, y) =>
    Math.abs(x - middle) < 0.5 * pitch && y < 150 ? 210 : sample(page, x, y),
  );
  const [first = ''] = (await zoneIn(covered, line(0, 0))) ?? [];
  expect(first).toBe((zone[0] ?? '').slice(0, place) + (zone[0] ?? '').slice(place + 1));
});

test('print in another font is no zone, and neither is an empty page', async () => {
  const print = canvas(width, height, () => 210);
  const letters = { lettering: await sans(), height: 31, dark: 40 };
  write(print, 'REPUBLIC OF UTOPIA PASSPORT 42 SPRINGHAVEN AUTHORITY', 200, 105, letters);
  await expect(zoneIn(print, line(0, 0))).resolves.toBeUndefined();
  await expect(
    zoneIn(
      canvas(width, height, () => 210),
      line(0, 0),
    ),
  ).resolves.toBeUndefined();
});

test('the one line of a driving licence is a zone, and a line alone that begins as a card is none', async () => {
  const found = async (text: string) => {
    const picture = canvas(width, height, () => 210);
    const long = 30 * pitch;
    write(picture, text, (width - long) / 2, 120 - 15.5, { lettering, height: (pitch * 62) / 48, dark: 40 });
    return zoneIn(picture, { ...line(0, 0), length: long * 1.02 });
  };
  const licence = licenceLineOf('5094962111', '6ZVW87B78NS84');
  await expect(found(licence)).resolves.toEqual([licence]);
  await expect(found(zoneOf(eriksson, 'TD1')[0] ?? '')).resolves.toBeUndefined();
});

test.each([
  ['behind a card', (text: string) => `${text} FSSSS`],
  ['before a card', (text: string) => `SS SM ${text}`],
  ['on both sides of a card', (text: string) => `BS ${text} FSS`],
])('what looks like characters %s does not make its lines longer', async (_, beside) => {
  for (const format of ['TD1', 'TD2'] as const) {
    const card = zoneOf(eriksson, format);
    const picture = canvas(width, height, () => 210);
    const left = 150 + pitch * beside('.').indexOf('.');
    const ink = { lettering, height: (pitch * 62) / 48, dark: 40 };
    for (const [index, text] of card.entries())
      for (const word of beside(text).matchAll(/\S+/g))
        write(picture, word[0], 150 + pitch * word.index, 80 - 15.5 + index * 60, ink);
    const long = pitch * (card[0]?.length ?? 0);
    const marked = { ...line(0, 0), x: left + long / 2, y: 80, length: long * 1.02 };
    await expect(zoneIn(picture, marked), format).resolves.toEqual(card);
  }
});
