import { expect, test } from 'vitest';
import { browserFamilies, browserFamilyOf } from '#api/verify/browser-family.ts';
import { cameraAccess } from '#api/verify/texts/camera-access.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit}`;
const android = 'Mozilla/5.0 (Linux; Android 14; SM-A146U Build/UP1A.231005.007';
const inApp = (agents: string[]) => agents.map((agent): [string, string] => ['in_app', agent]);
const agents: [string, string][] = [
  // Facebook, Instagram, LinkedIn, TikTok, Snapchat, Pinterest, Line, KakaoTalk, WeChat and Google.
  ...inApp([
    `${iphone} Mobile/15E148 [FBAN/FBIOS;FBDV/iPhone13,3;FBMD/iPhone;FBSN/iOS;FBSV/14.5;FBSS/3;FBID/phone]`,
    `${iphone} Mobile/15E148 Safari/604.1 [FBAN/FBIOS;FBAV/500.0]`,
    `${android}; wv) ${blink} Version/4.0 Chrome/122.0.6261.88 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/453.0.0.40.107;]`,
    `${iphone} Mobile/21F90 Instagram 335.0.0.34.95 (iPhone16,1; iOS 17_5_1)`,
    `${iphone} Mobile/15E148 Safari/604.1 [LinkedInApp]/9.78.4909`,
    `${iphone} Mobile/15E148 musical_ly_2023005030 BytedanceWebview/d8a21c6`,
    `${iphone} Version/13.0.5 Mobile/15E148 Snapchat/10.77.5.59 (like Safari/604.1)`,
    `${iphone} Mobile/15E148 [Pinterest/iOS]`,
    `${iphone} Mobile/15E148 Safari Line/11.9.1`,
    `${android}; wv) ${blink} Version/4.0 Chrome/115.0.5790.138 Safari/537.36;KAKAOTALK 2410310`,
    `${iphone} Mobile/15E148 MicroMessenger/8.0.53(0x1800352e) NetType/4G Language/zh_CN`,
    `${iphone} GSA/319.0.638062479 Mobile/15E148 Safari/604.1`,
    // Apps that name themselves nowhere, the last on an iPad that asks for pages of a computer.
    `${android}; wv) ${blink} Version/4.0 Chrome/137.0.7151.89 Mobile Safari/537.36`,
    `${iphone} Mobile/15E148`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit}`,
  ]),
  [
    'safari_ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    'other_ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} CriOS/137.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    'other_ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} FxiOS/139.0 Mobile/15E148 Safari/605.1.15`,
  ],
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
  // Browsers that name themselves beside the one that they descend from.
  ['safari_ios', `${iphone} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
  ['chrome', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/137.0.0.0 Safari/537.36`],
  ['firefox', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:139.0) Gecko/20100101 Firefox/139.0'],
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
