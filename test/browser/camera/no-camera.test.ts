import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import {
  agentInApp,
  expectReasonInView,
  expectWayOut,
  heading,
  linkOf,
  pick,
  press,
  smallScreens,
  startWithPassport,
  takeWithDevice,
} from '../person.ts';
import { keepPicture } from '../screenshots.ts';

/** A host whose pages a browser does not trust with a camera, as it trusts this machine. */
const untrusted = 'pages.example';
const harness = await startHarness();
const visit = browserOfFile(harness, [`--host-resolver-rules=MAP ${untrusted} 127.0.0.1`]);
const { key } = await harness.key();

const desk = { viewport: { width: 1200, height: 800 }, permissions: ['camera'] };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const languages = ['en', 'nl'] as const;
type Trouble = keyof (typeof pageTexts)['en']['camera']['troubles'];
type Size = { width: number; height: number };

/** Goes to the page of the passport in a browser whose camera behaves so. */
async function atCapture(behaviour: (size: Size) => void, options: BrowserContextOptions = {}, size?: Size) {
  const { page, context } = await visit(await linkOf(harness, key, 'document_only'), options);
  await context.addInitScript(behaviour as (size?: Size) => void, size);
  await page.reload();
  await startWithPassport(page);
  return page;
}

/** A camera of this many pixels. The page can be told that it has stopped. */
function drawnCamera({ width, height }: Size): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, (performance.now() / 50) % width, height), 50);
    const stream = canvas.captureStream(20);
    const stop = () => stream.getTracks()[0]?.dispatchEvent(new Event('ended'));
    addEventListener('camera-stops', stop, { once: true });
    return stream;
  };
}

/** A camera that another program uses. */
function busyCamera(): void {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('in use', 'NotReadableError'));
}

type Visited = Awaited<ReturnType<typeof atCapture>>;

/** Waits for the reason on the page, in this language, and checks that the other ways are open. */
async function expectReason(page: Visited, language: PageLanguage, trouble: Trouble): Promise<void> {
  await expect.poll(() => page.textContent('.told')).toBe(pageTexts[language].camera.troubles[trouble]);
  expect(await page.isVisible('.by-file label')).toBe(true);
  expect(await page.isVisible('dialog.camera')).toBe(false);
}

/** Tries in English, and then in Dutch. */
async function inBothLanguages(page: Visited, attempt: (language: PageLanguage) => Promise<void>) {
  for (const language of languages) {
    if (language !== 'en') await page.click(`a.language[hreflang=${language}]`);
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(language);
    await attempt(language);
  }
  await expectAccessible(page);
}

test('without a camera the page says so in both languages, and shows the code for a phone', async () => {
  const page = await atCapture(() => undefined, desk);
  await inBothLanguages(page, async (language) => {
    await page.click('.open');
    await expectReason(page, language, 'absent');
    expect(await page.isVisible('.on-phone img')).toBe(true);
  });
});

test('if another program uses the camera, the page says so in both languages, and it can be tried again', async () => {
  const page = await atCapture(busyCamera, desk);
  await inBothLanguages(page, async (language) => {
    for (let times = 0; times < 2; times++) {
      await page.click('.open');
      await expectReason(page, language, 'busy');
    }
  });
});

test.each<[Trouble, keyof typeof smallScreens, () => void]>([
  ['absent', 'phone', () => undefined],
  ['absent', 'desk', () => undefined],
  ['busy', 'phone', busyCamera],
  ['busy', 'desk', busyCamera],
])(
  'if the camera is %s, on a small %s the reason is in view, above the other ways, in both languages',
  async (trouble, device, behaviour) => {
    const page = await atCapture(behaviour, { ...smallScreens[device], permissions: ['camera'] });
    await inBothLanguages(page, async (language) => {
      await expectReasonInView(page, pageTexts[language].camera.troubles[trouble]);
      expect(await page.isVisible('.by-camera label')).toBe(device === 'phone');
      expect(await page.isVisible('.on-phone img')).toBe(device === 'desk');
    });
    await keepPicture(page, `camera-${trouble}-${device}`);
  },
);

test('a camera with too few pixels is not used, and the page says so in both languages', async () => {
  const page = await atCapture(drawnCamera, desk, { width: 640, height: 480 });
  await inBothLanguages(page, async (language) => {
    await page.click('.open');
    await expectReason(page, language, 'coarse');
  });
});

test('if the camera stops, the page says so in both languages, and it can be opened again', async () => {
  const page = await atCapture(drawnCamera, desk, { width: 1600, height: 1200 });
  await inBothLanguages(page, async (language) => {
    await page.click('.open');
    await page.waitForSelector('.camera .shutter', { state: 'visible' });
    await page.evaluate(() => dispatchEvent(new Event('camera-stops')));
    await expectReason(page, language, 'lost');
  });
  await page.click('.open');
  await page.waitForSelector('.camera .shutter', { state: 'visible' });
});

test('on a page without TLS the browser gives no camera: the page says so at once in both languages, and an upload goes on', async () => {
  const { page } = await visit('/verify/nothing', desk);
  const link = await linkOf(harness, key, 'document_only');
  await page.goto(`${harness.url.replace('127.0.0.1', untrusted)}${link}`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await startWithPassport(page);
  await inBothLanguages(page, async (language) => {
    await expectReason(page, language, 'insecure');
    expect(await page.isVisible('.open')).toBe(false);
    // Without a clipboard, the address itself is there to be copied.
    expect(await page.isVisible('.on-phone code')).toBe(true);
    expect(await page.isVisible('.on-phone .copy')).toBe(false);
  });
  await pick(page, await anyPicture());
  await press(page, 'picture');
  await expect.poll(() => heading(page)).toBe(pageTexts.nl.confirm.title);
});

test.each([
  ['names itself', { userAgent: agentInApp }],
  ['looks like one of its own', {}],
])(
  'a browser inside another app without a camera that %s says so at once in both languages, and copies the address',
  async (_, agent) => {
    const page = await atCapture(
      () => Object.defineProperty(Navigator.prototype, 'mediaDevices', { value: undefined }),
      { ...phone, ...agent, permissions: ['clipboard-read', 'clipboard-write'] },
    );
    const address = `https://verify.partner-test.example${new URL(page.url()).pathname}`;
    await inBothLanguages(page, async (language) => {
      await expectReason(page, language, 'unsupported');
      expect(await page.isVisible('.open')).toBe(false);
      await expectWayOut(page, language, `${address}?lang=${language}`);
    });
    await keepPicture(page, 'camera-in-app-phone');
    await takeWithDevice(page, await anyPicture());
    expect(await heading(page)).toBe(pageTexts.nl.confirm.title);
    const [row] = await harness.rows`select source from evidence where source <> 'upload'`;
    expect(row).toEqual({ source: 'capture_input' });
  },
);

test('a new photo takes the old error away, and only then there is a main button', async () => {
  const page = await atCapture(() => undefined);
  expect(await page.isVisible('form[action*="/picture?"] button')).toBe(false);
  await pick(page, Buffer.from('no photo'));
  await press(page, 'picture');
  expect(await page.textContent('[role=alert]')).toContain('not a photo');
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown button', { state: 'visible' });
  expect(await page.locator('[role=alert]').count()).toBe(0);
  expect(await page.title()).not.toContain(pageTexts.en.wrong);
});

test('another language keeps the photo that was taken', async () => {
  const page = await atCapture(() => undefined);
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  await page.click(`a[hreflang=nl]`);
  await expect.poll(() => heading(page)).toBe(pageTexts.nl.picture.passport_page.title);
  expect(await page.getAttribute('html', 'lang')).toBe('nl');
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('img.preview')?.naturalWidth === 1200,
  );
  await press(page, 'picture');
  expect(await heading(page)).toBe(pageTexts.nl.confirm.title);
  expect(await page.locator('.thumbnail:visible').count()).toBe(1);
  await page.goBack();
  await expect.poll(() => heading(page)).toBe(pageTexts.nl.picture.passport_page.title);
  await page.goForward();
  await expect.poll(() => heading(page)).toBe(pageTexts.nl.confirm.title);
  expect(await page.locator('.thumbnail:visible').count()).toBe(1);
});

test('without a connection the photo and the wish to send are kept, and go out when it is back', async () => {
  const page = await atCapture(() => undefined);
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  await page.context().setOffline(true);
  await page.click('.shown button');
  await expect.poll(() => page.textContent('.told')).toBe(pageTexts.en.camera.sending.offline);
  await expectAccessible(page);
  await page.context().setOffline(false);
  await expect.poll(() => heading(page)).toBe(pageTexts.en.confirm.title);

  await page.context().setOffline(true);
  await page.click('form[action*="/submit?"] button');
  await expect.poll(() => page.textContent('.told')).toBe(pageTexts.en.camera.sending.offline);
  await page.context().setOffline(false);
  await expect.poll(() => heading(page)).toBe(pageTexts.en.done.title);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});

test('a double click sends a photo once', async () => {
  const page = await atCapture(() => undefined);
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++;
  });
  await page.dblclick('.shown button');
  await expect.poll(() => heading(page)).toBe(pageTexts.en.confirm.title);
  expect(sent).toBe(1);
});
