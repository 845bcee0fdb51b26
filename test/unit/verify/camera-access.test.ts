import { expect, test } from 'vitest';
import { browserFamilies, browserFamilyOf } from '#api/verify/browser-family.ts';
import { cameraAccess } from '#api/verify/texts/camera-access.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const agents: [string, string][] = [
  [
    'safari_ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    'other_ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} CriOS/137.0 Mobile/15E148 Safari/604.1`,
  ],
  ['other_ios', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} Mobile/15E148`],
  ['safari', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.5 Safari/605.1.15`],
  ['firefox_android', 'Mozilla/5.0 (Android 15; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0'],
  ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0'],
  [
    'samsung',
    `Mozilla/5.0 (Linux; Android 10; K) ${blink} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ['chrome_android', `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/137.0.0.0 Mobile Safari/537.36`],
  [
    'chrome',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0`,
  ],
  ['other', ''],
  ['other', 'something new'],
];

test.each(agents)('the steps to allow the camera are those of %s', (family, agent) => {
  expect(browserFamilyOf(agent)).toBe(family);
});

test('every browser has steps of its own in both languages, with the reason before and another way after', () => {
  expect(new Set(agents.map(([family]) => family))).toEqual(new Set(browserFamilies));
  for (const language of ['en', 'nl'] as const) {
    const texts = browserFamilies.map((family) => cameraAccess(language, family));
    expect(new Set(texts).size).toBe(browserFamilies.length);
    for (const text of texts)
      expect(text).toMatch(
        language === 'en'
          ? /^The camera is blocked .* another way below\.$/
          : /^De camera is geblokkeerd .* andere manier\.$/,
      );
  }
});
