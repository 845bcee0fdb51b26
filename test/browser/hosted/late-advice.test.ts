import { expect, test } from 'vitest';
import { noChecks } from '../../support/examiners/no-checks.ts';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from '../person.ts';

/** Resolves when the looks may end. */
let looked = Promise.withResolvers<void>();
const harness = await startHarness({
  documents: noChecks,
  looker: {
    async look() {
      await looked.promise;
      return 'no_document';
    },
    expect: () => undefined,
    close: async () => undefined,
  },
});
const visit = browserOfFile(harness);
const { key } = await harness.key({ environment: 'live' });
const { advice, confirm, checking, faults, picture } = pageTexts.en;
const region = '#looked-passport_page';

type Visited = Awaited<ReturnType<typeof visit>>['page'];

/** Goes to the page before Send, while the look at its picture is held back. */
async function beforeSend(prepare: (page: Visited) => Promise<unknown> = async () => undefined) {
  looked = Promise.withResolvers();
  const link = await linkOf(harness, key, 'document_only');
  const { page } = await visit('/verify/nothing');
  await prepare(page);
  await page.goto(harness.url + link);
  await startWithPassport(page);
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  await press(page, 'picture');
  await expect.poll(() => heading(page)).toBe(confirm.title);
  expect(await page.textContent(region)).toBe('');
  return page;
}

/** The looks end, and what they found is stored. */
async function answered(): Promise<void> {
  looked.resolve();
  const waiting = () => harness.rows`select from evidence where kind = 'passport_page' and look is null`;
  await expect.poll(waiting, { timeout: 60_000 }).toEqual([]);
}

/** The clock of the page goes on only when the test says so. */
async function standStill({ clock }: Visited): Promise<void> {
  await clock.install({ time: 0 });
  await clock.pauseAt(1_000);
}

/** Lets the clock of the page go on until it asks again. Its timer may not be set yet when the answer before is there. */
async function askedAgain(page: Visited): Promise<number | undefined> {
  const asked = page.waitForRequest(/since=/);
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  void asked.then(over, over);
  while (!isOver) await page.clock.runFor(500);
  const answer = await (await asked).response();
  await answer?.finished();
  return answer?.status();
}

/** Counts what the page asks again. */
function asks(page: Visited) {
  const count = { of: 0 };
  page.on('request', (request) => {
    if (new URL(request.url()).searchParams.has('since')) count.of++;
  });
  return count;
}

test('advice that comes late on the last picture is read out before Send, and the person stays where they are', async () => {
  const page = await beforeSend();
  await expectAccessible(page);
  await page.click('.picture summary');
  await page.focus('li[data-picture] > a');
  const place = await page.waitForSelector(region, { state: 'attached' });
  expect(await place.getAttribute('aria-live')).toBe('polite');
  await answered();
  await expect.poll(() => page.textContent(region)).toContain(advice.no_document);
  // The element was there before its words, and is still the same. So it is read out.
  expect(await place.textContent()).toContain(advice.no_document);
  expect(await page.evaluate(() => document.activeElement?.matches('li[data-picture] > a'))).toBe(true);
  expect(await page.locator('.picture[open] img:visible').count()).toBe(1);
  await expectAccessible(page);
  await press(page, 'submit');
  await expect.poll(() => heading(page)).toBe(checking.title);
});

test('who presses Send before the page has the advice gets it then, keeps the photo, and can send all the same', async () => {
  const page = await beforeSend();
  await page.route(/since=/, (route) => route.abort());
  await answered();
  await press(page, 'submit');
  await expect.poll(() => page.textContent('[role=alert]')).toBe(faults.unread_advice);
  expect(await page.evaluate(() => document.activeElement?.matches('[role=alert]'))).toBe(true);
  expect(await heading(page)).toBe(confirm.title);
  expect(await page.textContent(region)).toContain(advice.no_document);
  expect(await page.locator('.thumbnail:visible').count()).toBe(1);
  await expectAccessible(page);
  await press(page, 'submit');
  await expect.poll(() => heading(page)).toBe(checking.title);
});

test('a page before Send stops asking when everything was looked at', async () => {
  const page = await beforeSend(standStill);
  const count = asks(page);
  expect([200, 204]).toContain(await askedAgain(page));
  expect([200, 204]).toContain(await askedAgain(page));
  await answered();
  expect([200, 204]).toContain(await askedAgain(page));
  await expect.poll(() => page.textContent(region)).toContain(advice.no_document);
  await page.clock.runFor(60_000);
  expect(count.of).toBe(3);
});

test('a page before Send asks for two minutes at most, however long a look takes', async () => {
  const page = await beforeSend(standStill);
  const count = asks(page);
  for (let times = 1; times <= 60; times++) await askedAgain(page);
  await page.evaluate(() => fetch(location.href).then((answer) => answer.text()));
  await page.clock.runFor(60_000);
  await page.click('li[data-picture] > a');
  await expect.poll(() => heading(page)).toBe(picture.passport_page.title);
  expect(count.of).toBe(60);
  await answered();
});
