import { expect, test } from 'vitest';
import { hintFor, motionBetween, nextShown } from '#api/verify/assets/hints.js';
import { assets } from '#api/verify/assets.ts';
import type { Variant } from '#test/support/specimens/photograph.ts';
import { seen } from '#test/support/specimens/views.ts';

const shapes = ['id1', 'id3'] as const;

const expected: [string, string, Variant][] = [
  ['lies well in the frame', 'ready', {}],
  ['is turned a little', 'ready', { turn: 4 }],
  ['has half of the light', 'ready', { light: 0.5 }],
  ['is far away', 'closer', { share: 0.5 }],
  ['is too near', 'further', { share: 0.88 }],
  ['is turned', 'straight', { turn: -12 }],
  ['leans back', 'straight', { recede: 0.3 }],
  ['lies in the dark', 'more_light', { light: 0.22, noise: 3 }],
  ['reflects a lamp over the print', 'glare', { lamp: [0.55, 0.4] }],
  ['reflects a lamp in the middle', 'glare', { lamp: [0.5, 0.5] }],
  ['is out of focus by 3 pixels', 'blur', { blur: 3 }],
  ['is out of focus by 5 pixels', 'blur', { blur: 5 }],
];

test.each(shapes.flatMap((shape) => expected.map((row) => [shape, ...row] as const)))(
  'a document of shape %s that %s gets the hint %s',
  async (shape, _, hint, variant) => {
    expect(hintFor(await seen(shape, variant), false)).toBe(hint);
  },
);

const plain = (brightness: number, width = 160, height = 101) => ({
  pixels: new Uint8Array(width * height).fill(brightness),
  width,
  height,
});
const frame = { left: 16, top: 10, right: 144, bottom: 91 };

test('a wall is no document', () => {
  const look = { view: plain(180), frame, strip: plain(180, 480, 90), before: undefined };
  expect(hintFor(look, false)).toBe('aim');
});

test('a face in the dark, and a face before a bright window, need more light', () => {
  const strip = plain(90, 480, 90);
  expect(hintFor({ view: plain(30), frame, strip, before: undefined }, true)).toBe('more_light');
  const window = plain(250);
  const wide = { left: 60, top: 30, right: 100, bottom: 70 };
  for (let y = 30; y < 70; y++) window.pixels.fill(70, y * 160 + 60, y * 160 + 100);
  expect(hintFor({ view: window, frame: wide, strip, before: undefined }, true)).toBe('more_light');
});

test('a camera that moves is told to hold still', async () => {
  const [look, moved] = [await seen('id1', {}), await seen('id1', { turn: 3 })];
  expect(motionBetween(look.view, look.view)).toBe(0);
  expect(hintFor({ ...look, before: moved.view }, false)).toBe('hold_still');
});

test('a hint is told when it has lasted, and never sooner than 1.5 seconds after the one before', () => {
  const told: [number, string][] = [];
  let shown = nextShown(undefined, 'aim', 0);
  for (let now = 0; now <= 6_000; now += 50) {
    const hint = now < 3_000 ? 'closer' : now % 200 < 100 ? 'blur' : 'ready';
    const next = nextShown(shown, hint, now);
    if (next.shown !== shown.shown) told.push([now, next.shown]);
    shown = next;
  }
  expect(told).toEqual([[1_500, 'closer']]);
});

test('all scripts of the page together are at most 40 KB before compression', () => {
  const names = new Set(['flow.js']);
  let bytes = 0;
  for (const name of names) {
    const text = assets.get(name)?.identity.toString() ?? '';
    expect(text, name).not.toBe('');
    bytes += Buffer.byteLength(text);
    for (const [, imported = ''] of text.matchAll(/from '\.\/([\w-]+)\.[0-9a-f]{12}\.js'/g))
      names.add(`${imported}.js`);
  }
  expect(names.size).toBeGreaterThan(5);
  expect(bytes).toBeLessThanOrEqual(40 * 1024);
});
