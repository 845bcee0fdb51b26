import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible, expectContrast } from '../browser.ts';
import { heading, linkOf } from '../person.ts';
import { keepPicture } from '../screenshots.ts';
import { everyPage, organisation } from './every-page.ts';

/** The examination of a document never ends here, so that its page stays as it is. */
const examined = Promise.withResolvers<{ checks: []; read: null }>();
const harness = await startHarness({
  documents: { check: () => examined.promise, close: async () => undefined },
});
afterAll(() => examined.resolve({ checks: [], read: null }));
const visit = browserOfFile(harness);
const pages = Object.entries(await everyPage(harness));

/** Of these, the documents show how they look on a desk, or on a phone by night. Of every page they show a phone by day. */
const shownOnDesk =
  /^(welcome|document|following|photo-of-card|selfie|bank|confirm|checking|done|expired|unknown)$/;
const shownByNight = /^(welcome|document|photo-with-advice|confirm|done)$/;

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };

type Device = 'phone' | 'desk';
type Scheme = 'light' | 'dark';

/** Keeps the picture of a page, if the documents show it so. */
async function keep(page: Page, title: string, device: Device, scheme: Scheme): Promise<void> {
  if (device === 'desk' && (scheme === 'dark' || !shownOnDesk.test(title))) return;
  if (scheme === 'dark' && !shownByNight.test(title)) return;
  await keepPicture(page, `${title}-${device}${scheme === 'dark' ? '-dark' : ''}`);
}

const inLanguage = (path: string, language: string) =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;

/** A page of an error has its status in the console of the browser. */
const unexpected = (surprises: string[]) => surprises.filter((each) => !/status of 404/.test(each));

const devices: Record<Device, BrowserContextOptions> = {
  phone: { viewport: phone, hasTouch: true, isMobile: true },
  desk: { viewport: desk },
};
const looks = (['nl', 'en'] as const).flatMap((language) =>
  (['phone', 'desk'] as const).map((device) => [device, language] as const),
);

test.each(looks)(
  'on a %s in %s, every page is accessible by day and by night, and asks no other host',
  async (device, language) => {
    const { page, surprises } = await visit('/verify/nothing', devices[device]);
    for (const [title, path] of pages) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(harness.url + inLanguage(path, language));
      expect(await page.getAttribute('html', 'lang'), title).toBe(language);
      await expectAccessible(page);
      if (language === 'nl') await keep(page, title, device, 'light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectContrast(page);
      if (language === 'nl') await keep(page, title, device, 'dark');
    }
    expect(unexpected(surprises)).toEqual([]);
  },
  300_000,
);

test.each(['nl', 'en'] as const)(
  'in %s, who presses too often is told so on a page that is accessible and leads back',
  async (language) => {
    const { trouble, welcome } = pageTexts[language];
    const { key } = await harness.key({ org: organisation });
    const link = await linkOf(harness, key, 'document_only');
    const inTooMany = async () =>
      (await fetch(harness.url + inLanguage(`${link}/start`, language), { method: 'POST' })).status;
    await expect.poll(inTooMany, { timeout: 60_000, interval: 1 }).toBe(429);
    const { page } = await visit(inLanguage(`${link}/phone.svg`, language), devices.phone);
    expect(await heading(page)).toBe(trouble.title);
    expect(await page.textContent('main')).toContain(trouble.tooOften);
    await expectAccessible(page);
    if (language === 'nl') await keep(page, 'too-often', 'phone', 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
    await page.click(`main a:has-text("${trouble.back}")`);
    await expect.poll(() => heading(page)).toBe(welcome.title);
  },
);

/** The distance of the text from the edge, in pixels, and how much wider than the screen the page is. */
const edgesOf = (page: Page) =>
  page.evaluate(() => {
    const { left, right } = (document.querySelector('main') as HTMLElement).getBoundingClientRect();
    const root = document.documentElement;
    return { gutter: Math.min(left, root.clientWidth - right), beyond: root.scrollWidth - innerWidth };
  });

const widths: Record<string, { width: number; height: number }> = {
  'a phone of 320': { width: 320, height: 568 },
  'a small tablet': { width: 600, height: 900 },
  'just before the sheet': { width: 639, height: 900 },
  'just at the sheet': { width: 640, height: 900 },
  'a desk at 200 %': { width: 640, height: 400 },
  'a desk at 400 %': { width: 320, height: 200 },
};

test('at no width a page scrolls sideways, and text keeps its distance from the edge', async () => {
  const { page } = await visit('/verify/nothing');
  for (const [title, path] of pages) {
    await page.goto(harness.url + inLanguage(path, 'nl'));
    for (const [screen, viewport] of Object.entries(widths)) {
      await page.setViewportSize(viewport);
      const { gutter, beyond } = await edgesOf(page);
      expect(beyond, `${title} on ${screen}`).toBeLessThanOrEqual(0);
      expect(gutter, `${title} on ${screen}`).toBeGreaterThanOrEqual(16);
    }
  }
}, 300_000);

test('with the keyboard alone a person agrees and begins, and always sees where the focus is', async () => {
  const { key } = await harness.key({ org: organisation });
  const { page } = await visit(`${await linkOf(harness, key, 'document_liveness')}?lang=en`);
  const focus = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return {
        name: element.getAttribute('name') ?? element.textContent?.trim(),
        outlineStyle,
        outlineWidth,
      };
    });
  const seen: unknown[] = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab');
    const { name, outlineStyle, outlineWidth } = await focus();
    seen.push(name);
    expect([outlineStyle, outlineWidth], String(name)).toEqual(['solid', '3px']);
    if (name === 'consent') await page.keyboard.press('Space');
    if (name === 'Start') break;
  }
  expect(seen.filter((name) => name === 'consent')).toHaveLength(2);
  expect(seen.at(-1)).toBe('Start');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.textContent('h1')).toBe('Your document');
  let chosen = '';
  for (let i = 0; i < 8 && !chosen.startsWith('Identity card'); i++) {
    await page.keyboard.press('Tab');
    chosen = String((await focus()).name);
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/take=card_front/);
});

test('on a phone the main button is at the bottom of the screen, tall enough for a thumb', async () => {
  const { page } = await visit(pages.find(([name]) => name === 'welcome')?.[1] ?? '', { viewport: phone });
  const box = await page.locator('.action button').boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(52);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
});

test('whoever asked for less motion sees none', async () => {
  const [, path = ''] = pages.find(([name]) => name === 'checking') ?? [];
  const { page } = await visit(path, { reducedMotion: 'no-preference' });
  const animation = () =>
    page.evaluate(() => getComputedStyle(document.querySelector('.busy .icon') as Element).animationName);
  expect(await animation()).toBe('turn');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await animation()).toBe('none');
});
