import { expect, test } from 'vitest';
import { readGlyphs } from '#activities/checks/document/reading/glyphs.ts';
import { besideCourse, courseOf, sketchRow } from '#activities/checks/document/reading/row.ts';
import { templatesOf } from '#activities/checks/document/reading/templates.ts';
import { canvas, ocrb, sample, write } from '#test/support/specimens/canvas.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { zoneOf } from '#test/support/specimens/zone.ts';

const templates = templatesOf(await readGlyphs());
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
function seen(far: number, bend: number) {
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

const textOf = (places: readonly { character: string }[]) =>
  places.map(({ character }) => character).join('');

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
  (far, bend) => {
    const picture = seen(far, bend) as Parameters<typeof sketchRow>[0];
    const ends = { left: width / 2 - length / 2 / (1 - far), right: width / 2 + length / 2 / (1 + far) };
    const middle = (ends.left + ends.right) / 2;
    const found = { ...line(far, bend), x: middle, length: 1.01 * (ends.right - ends.left) };
    const row = sketchRow(picture, courseOf(found, 44), 44, templates).settled();
    expect(textOf(row.places)).toBe(zone[0]);
    expect(textOf(sketchRow(picture, besideCourse(row, 1), 44, templates).settled().places)).toBe(zone[1]);
  },
);

test('a row of 44 places has a higher score than any 36 of them', () => {
  const picture = seen(0, 0) as Parameters<typeof sketchRow>[0];
  const scoreOf = (count: number) => sketchRow(picture, courseOf(line(0, 0), count), count, templates).score;
  expect(scoreOf(44)).toBeGreaterThan(scoreOf(36));
  expect(scoreOf(44)).toBeGreaterThan(scoreOf(30));
});
