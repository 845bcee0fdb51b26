import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { doubtful } from '../../integration/dossiers/support.ts';
import { documentMasker } from '../../support/examiners/document-masker.ts';
import { startHarness } from '../../support/harness.ts';
import { consolePages } from '../../support/people/console-table.ts';
import { simulatedBanks } from '../../support/people/idin.ts';
import type { PageLanguage } from '../../support/people/texts.ts';
import { newRoots } from '../../support/rows/roots.ts';
import { expectAccessible, expectContrast } from '../browser.ts';
import { keepPicture } from '../screenshots.ts';
import { folder, startConsoleInBrowser } from './console.ts';
import { everyConsolePage, organisation, type Seat } from './console-pages.ts';

const roots = await newRoots();
const { banks, agree } = await simulatedBanks();
const harness = await startHarness({ roots, banks, documents: doubtful, masker: await documentMasker() });
const { url, visit } = await startConsoleInBrowser(harness);
const { pages, answers, further, cookieOf } = await everyConsolePage(harness, url, roots);
await agree(harness.ctx, organisation);
// The certificate of a simulator is over in a day.
await harness.rows`update eid_contracts set certificate_ends_at = now() + interval '2 years'`;

type Device = 'phone' | 'desk';
type Scheme = 'light' | 'dark';

const devices: Record<Device, BrowserContextOptions> = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  desk: { viewport: { width: 1280, height: 800 } },
};
const looks = (['nl', 'en'] as const).flatMap((language) =>
  (['phone', 'desk'] as const).map((device) => [device, language] as const),
);

/** The documents show pages in English on a desk by day, and in Dutch on a phone by night. Another folder gets every look at every page. */
const images = fileURLToPath(new URL('../../../docs/images', import.meta.url));
const pictured = new Set(readdirSync(images));

async function keep(page: Page, name: string, device: Device, language: PageLanguage, scheme: Scheme) {
  if (folder !== undefined && resolve(folder) !== images)
    return keepPicture(page, `${name}-${device}-${language}-${scheme}`, 'console');
  const shown = device === 'desk' ? name : `phone-${name}`;
  const isShown =
    device === 'desk' ? language === 'en' && scheme === 'light' : language === 'nl' && scheme === 'dark';
  if (isShown && pictured.has(`console-${shown}.png`)) await keepPicture(page, shown, 'console');
}

/** Shown in a frame only, where no script runs, so axe cannot judge it. It is the hosted page to the byte, which tests of its own judge. */
const framed = '/organisation/preview';

test('each page of the console has a row in the tables of this test, and each form there is one of the console', () => {
  const pathsOf = (wanted: string) =>
    consolePages.flatMap(({ method, path }) => (method === wanted ? [path] : []));
  expect([...Object.keys(pages), framed].sort()).toEqual(pathsOf('GET').sort());
  expect(pathsOf('POST')).toEqual(expect.arrayContaining(Object.keys(answers)));
});

/** Everything that the browser says of a page that is an error by its status. */
const unexpected = (surprises: string[]) =>
  surprises.filter((each) => !/status of 4(03|04|09|22)/.test(each));

/** The tables that are cut at the edge of the screen. */
const cutTables = (page: Page) =>
  page.$$eval('.table', (tables) =>
    tables.flatMap((each) => (each.scrollWidth > each.clientWidth ? [each.getAttribute('aria-label')] : [])),
  );

/** What a window of a desk shows at 200 % and at 400 % (WCAG 2.2, 1.4.10). */
const zoomed = { '200 %': { width: 640, height: 400 }, '400 %': { width: 320, height: 256 } };

/** What is cut at the edge when somebody enlarges the page. */
async function cutWhenZoomed(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const cut: string[] = [];
  for (const [zoom, size] of Object.entries(zoomed)) {
    await page.setViewportSize(size);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (beyond > 0) cut.push(`${zoom}: ${beyond} px`);
    for (const table of await cutTables(page)) cut.push(`${zoom}: ${table}`);
  }
  if (before !== null) await page.setViewportSize(before);
  return cut;
}

/** True if each cell says its column, as the cells of a card do. Undefined if there is no table. */
const saysColumns = (page: Page) =>
  page.$$eval(
    '.table:not(.case *) td:not(:empty)',
    ([cell]) =>
      cell && getComputedStyle(cell, '::before').content.includes(`"${cell.getAttribute('data-column')}"`),
  );

/** Whether each link leads to a field, of the summary of faults that has the focus. */
const summaryOf = (page: Page) =>
  page.evaluate(() =>
    [...(document.activeElement?.querySelectorAll<HTMLAnchorElement>(':scope.summary a') ?? [])].map(
      ({ hash }) => document.querySelector(hash)?.matches('input, select, textarea') ?? false,
    ),
  );

test.each(looks)(
  'on a %s in %s, every page of the console and every answer to a form is accessible by day and by night',
  async (device, language) => {
    const { page, context, surprises } = await visit('/sign-in', devices[device]);
    const sitDown = async (seat: Seat) => {
      await context.clearCookies();
      if (seat !== 'nobody') await context.addCookies([await cookieOf(seat, language)]);
    };
    const inLanguage = (path: string, seat: Seat) =>
      `${url}${path}${seat === 'nobody' ? `?lang=${language}` : ''}`;
    const judge = async (name: string) => {
      expect(await page.getAttribute('html', 'lang'), name).toBe(language);
      await expectAccessible(page);
      expect([undefined, device === 'phone'], name).toContain(await saysColumns(page));
      expect(await cutTables(page), name).toEqual([]);
      if (device === 'desk') expect(await cutWhenZoomed(page), name).toEqual([]);
      await keep(page, name, device, language, 'light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectContrast(page);
      await keep(page, name, device, language, 'dark');
      await page.emulateMedia({ colorScheme: 'light' });
    };

    for (const shown of [...Object.values(pages), ...further]) {
      if (shown === 'a file') continue;
      const { name, as, path, status = 200 } = shown;
      await sitDown(as);
      const answer = await page.goto(inLanguage(path, as));
      expect([name, answer?.status(), new URL(page.url()).pathname]).toEqual([
        name,
        status,
        path.replace(/\?.*/, ''),
      ]);
      await judge(name);
    }
    for (const [pattern, { name, as, at, fill, status }] of Object.entries(answers)) {
      await sitDown(as);
      const path = await at();
      await page.goto(inLanguage(path, as));
      await fill?.(page);
      const action = pattern.replace(/:id|:token/, path.split('/').at(-1) ?? '');
      const [answer] = await Promise.all([
        page.waitForResponse((each) => each.request().method() === 'POST'),
        page.waitForEvent('load'),
        page.click(`form:is([action="${action}"], [action="${action}?lang=${language}"]) button >> nth=0`),
      ]);
      expect([name, answer.status()]).toEqual([name, status]);
      // A browser gives the focus to an element that asks for it only after the page was drawn.
      if (status === 422) await expect.poll(() => summaryOf(page), { message: name }).toEqual([true]);
      await judge(name);
    }
    expect(unexpected(surprises)).toEqual([]);
  },
  600_000,
);
