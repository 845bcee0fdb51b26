import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accentSheet, accentSheetName } from '#api/pages/accent.ts';
import { accentOf, contrast, contrastMin, surfaces } from '#api/pages/contrast.ts';
import { fc } from '#test/support/seed.ts';

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is that of WCAG: 21 between black and white, 1 between equals, in either order', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#123456', '#123456')).toBe(1);
});

describe('whatever colour an organisation chooses', () => {
  test('text on the accent, and text in the accent on each surface, can be read', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        const { fill, ink, strong } = accentOf(colour);
        expect(fill).toBe(colour);
        expect(contrast(fill, ink)).toBeGreaterThanOrEqual(contrastMin);
        for (const surface of ['#ffffff', surfaces.light])
          expect(contrast(strong.light, surface)).toBeGreaterThanOrEqual(contrastMin);
        for (const surface of ['#0d1217', '#151b22', surfaces.dark])
          expect(contrast(strong.dark, surface)).toBeGreaterThanOrEqual(contrastMin);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a colour that can be read already stays as it is', () => {
    expect(accentOf('#0a5c8a').strong.light).toBe('#0a5c8a');
    expect(accentOf('#ffd400')).toMatchObject({ ink: '#000000', strong: { dark: '#ffd400' } });
  });

  test('its style sheet holds colours alone, under a name that follows from them', () => {
    expect(accentSheetName('#0a5c8a')).toMatch(/^accent-0a5c8a\.[0-9a-f]{12}\.css$/);
    const style = accentSheet('accent-0a5c8a.css')?.identity.toString();
    expect(style).toMatch(
      /^(?:[@(){}:;\s-]|prefers-color-scheme|media|dark|root|accent|ink|strong|#[0-9a-f]{6})+$/,
    );
  });
});

test.each(['#0A5C8A', '#0a5c8', '#0a5c8a}', 'red', '', '#0a5c8a;x', 'url(x)', '#0a5c8a\n'])(
  'there is no style sheet for %j',
  (colour) => {
    expect(accentSheetName(colour)).toBeUndefined();
  },
);

const style = readFileSync(new URL('../../../api/pages/assets/base.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)');

/** WCAG 2.2 AA for what is no text (1.4.11). */
const ringMin = 3;

/** The colours of the shared style sheet by name, in light and in dark mode. */
const tokensIn = (part: string) =>
  Object.fromEntries(
    [...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );

describe.each([
  ['light', tokensIn(light)],
  ['dark', { ...tokensIn(light), ...tokensIn(dark) }],
])('in %s mode', (theme, tokens) => {
  const between = (one: string, other: string) => contrast(`${tokens[one]}`, `${tokens[other]}`);

  test.each([
    ...['back', 'surface', 'soft'].flatMap((surface) =>
      ['ink', 'muted', 'accent-strong', 'danger'].map((text) => [text, surface]),
    ),
    ['accent-ink', 'accent'],
    ['fault-text', 'fault-back'],
    ['notice-text', 'notice-back'],
    ['caution-text', 'caution-back'],
  ])('%s on %s can be read', (text = '', surface = '') => {
    expect(between(text, surface)).toBeGreaterThanOrEqual(contrastMin);
  });

  test.each(['fault-back', 'notice-back', 'caution-back'])(
    'the focus ring of a link is seen on %s, in whatever colour an organisation chooses',
    (surface) => {
      expect(between('accent-strong', surface)).toBeGreaterThanOrEqual(ringMin);
      fc.assert(
        fc.property(colours, (colour) => {
          const ring = accentOf(colour).strong[theme as 'light' | 'dark'];
          expect(contrast(ring, `${tokens[surface]}`)).toBeGreaterThanOrEqual(ringMin);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  test.each(['back', 'surface', 'soft'])('a field and the focus ring are seen on %s', (surface) => {
    expect(between('field-line', surface)).toBeGreaterThanOrEqual(3);
    expect(between('accent-strong', surface)).toBeGreaterThanOrEqual(3);
  });
});

describe('over the live camera, where the page of the partner is not seen', () => {
  const sheet = readFileSync(new URL('../../../api/verify/assets/capture.css', import.meta.url), 'utf8');
  const wide = (short = '') =>
    `#${short.length === 3 ? [...short].flatMap((digit) => [digit, digit]).join('') : short}`;
  const colourOf = (rule: string, property: string) => {
    const [, body = ''] = sheet.split(`\n${rule} {`)[1]?.split('}')[0]?.split(`${property}:`) ?? [];
    return wide(/#([0-9a-f]+)/.exec(body)?.[1]);
  };

  test('the focus ring is seen on what is around each button', () => {
    const ring = colourOf('.camera :focus-visible', 'outline');
    expect(contrast(ring, colourOf('.camera .buttons', 'background'))).toBeGreaterThanOrEqual(3);
  });

  test.each(['.camera .hint', '.camera .close', '.camera .shutter'])('the text of %s can be read', (rule) => {
    const text = colourOf(rule === '.camera .close' ? '.camera label' : rule, '\n  color');
    expect(contrast(text, colourOf(rule, 'background'))).toBeGreaterThanOrEqual(contrastMin);
  });
});

test('the surfaces of the computation are those of the style sheet', () => {
  expect([tokensIn(light).back, tokensIn(dark).soft]).toEqual([surfaces.light, surfaces.dark]);
});
