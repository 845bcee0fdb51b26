import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { doubtful } from '../../integration/dossiers/support.ts';
import { startOffice } from '../../integration/reviews/support.ts';
import { documentMasker } from '../../support/examiners/document-masker.ts';
import { startHarness } from '../../support/harness.ts';
import { startConsoleInBrowser, tabTo } from './console.ts';
import { drawnWalks } from './drawn-walks.ts';

/** What a reviewer does with the hands: with keys, with the pointer, and without scripts. */

const harness = await startHarness({ documents: doubtful, masker: await documentMasker() });
const { signedIn, url } = await startConsoleInBrowser(harness);
const office = await startOffice(harness, { environment: 'live' });
const walked = await drawnWalks(harness, office.key);

const asReviewer = (options = {}) => signedIn({ org: office.org, role: 'reviewer' }, options);
const claim = (id: string) => `form[action="/review/${id}/claim"] button`;

/** Takes a verification from the queue. */
async function take(page: Page, id: string): Promise<void> {
  await page.goto(`${url}/review`);
  await page.click(claim(id));
  await page.waitForURL(`**/review/${id}`);
}
const backInQueue = (page: Page, notice: string) =>
  page.waitForURL(`**/review?environment=live&notice=${notice}`);
const verdictOf = async (id: string) => (await office.read(id)).verdict;

/** The id of the picture that fills the window. */
const enlarged = (page: Page) =>
  page.evaluate(() => {
    const isWhole = ({ left, top, width, height }: DOMRect) =>
      [left, top, width, height].join() === [0, 0, innerWidth, innerHeight].join();
    const whole = [...document.querySelectorAll('figure.picture')].find((figure) =>
      isWhole(figure.getBoundingClientRect()),
    );
    return whole?.id ?? null;
  });

test('R goes to the reasons of a rejection, and the keyboard alone rejects', async () => {
  const id = await walked('customer 71');
  const { page, surprises } = await asReviewer();
  await take(page, id);
  await page.keyboard.press('r');
  const focus = () =>
    page.evaluate(() => {
      const box = document.activeElement as HTMLInputElement;
      return [box.closest('form')?.querySelector<HTMLInputElement>('[name=outcome]')?.value, box.checked];
    });
  expect(await focus()).toEqual(['rejected', false]);
  await page.keyboard.press('Space');
  expect(await focus()).toEqual(['rejected', true]);
  await page.keyboard.press('Enter');
  await backInQueue(page, 'reviewed');
  expect(await verdictOf(id)).toMatchObject({ outcome: 'rejected', reviewed: true });
  expect(surprises).toEqual([]);
}, 180_000);

test('Z enlarges one picture after the other and closes the last, and so do the links', async () => {
  const id = await walked('customer 72');
  const { page } = await asReviewer();
  await take(page, id);
  const all = await page.evaluate(() =>
    [...document.querySelectorAll('figure.picture')].map((figure) => figure.id),
  );
  expect(all).toEqual(['masked_front', 'masked_back', 'portrait', 'selfie']);
  expect(await enlarged(page)).toBeNull();
  for (const each of [...all, null, all[0]]) {
    await page.keyboard.press('z');
    await expect.poll(() => enlarged(page)).toBe(each);
  }
  await page.click('figure:target a.close');
  await expect.poll(() => enlarged(page)).toBeNull();
  await page.click('#selfie a.open');
  await expect.poll(() => enlarged(page)).toBe('selfie');
  expect(await page.isVisible('#selfie a.close')).toBe(true);
}, 180_000);

const screens = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

test.each(['card of 2021', 'passport of 2014'] as const)(
  'portrait and selfie of a %s stand in one row on every screen, the portrait first',
  async (kind) => {
    const id = await (await drawnWalks(harness, office.key, kind))(`customer 73, ${kind}`);
    const { page } = await asReviewer();
    await take(page, id);
    for (const [screen, viewport] of Object.entries(screens)) {
      await page.setViewportSize(viewport);
      const [portrait, selfie] = [
        await page.locator('#portrait').boundingBox(),
        await page.locator('#selfie').boundingBox(),
      ];
      if (portrait === null || selfie === null) expect.unreachable(`no two faces on a ${screen}`);
      expect(Math.abs(portrait.y - selfie.y), screen).toBeLessThan(1);
      expect(portrait.x + portrait.width, screen).toBeLessThanOrEqual(selfie.x);
      expect(Math.abs(portrait.width - selfie.width), screen).toBeLessThan(1);
    }
  },
  180_000,
);

test('what is in doubt is marked, by its words and by its colour, and nothing else is', async () => {
  const id = await walked('customer 74');
  const { page } = await asReviewer();
  await take(page, id);
  const marked = await page
    .locator('.tag.doubt')
    .evaluateAll((tags) =>
      tags.map((tag) => [tag.closest('tr')?.querySelector('th')?.textContent, tag.textContent]),
    );
  expect(marked).toEqual([
    ['Data agree with each other', 'in doubt'],
    ['Face and portrait', 'in doubt'],
    ['A live person', 'in doubt'],
  ]);
  const colourOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((tag) => getComputedStyle(tag).color);
  const doubt = await colourOf('.tag.doubt');
  for (const other of ['.tag.passed', '.tag.not_applicable'])
    expect(doubt, other).not.toBe(await colourOf(other));
}, 180_000);

test('without scripts a reviewer takes one, enlarges a picture, and decides', async () => {
  const id = await walked('customer 75');
  const { page } = await asReviewer({ javaScriptEnabled: false });
  await take(page, id);
  await page.click('#portrait a.open');
  const box = await page.locator('#portrait').boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, ...page.viewportSize() });
  await page.click('#portrait a.close');
  const approve = page.locator(`form[action="/review/${id}/decide"]`).first();
  await approve.locator('button').click();
  expect(await page.textContent('#approved-fault')).toBe('Tick every point to approve.');
  for (const reason of await approve.locator('input[type=checkbox]').all()) await reason.check();
  await approve.locator('button').click();
  await backInQueue(page, 'reviewed');
  expect(await verdictOf(id)).toMatchObject({ outcome: 'approved', reviewed: true });
}, 180_000);

test('with the keyboard alone a reviewer gives one back, and another takes it', async () => {
  const id = await walked('customer 76');
  const { page } = await asReviewer();
  await page.goto(`${url}/review`);
  await tabTo(page, claim(id));
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/review/${id}`);
  const other = await asReviewer();
  await other.page.goto(`${url}/review`);
  expect(await other.page.textContent('tbody')).toContain('with another member');
  expect(await other.page.locator(claim(id)).count()).toBe(0);
  await tabTo(page, `form[action="/review/${id}/release"] button`);
  await page.keyboard.press('Enter');
  await backInQueue(page, 'released');
  await take(other.page, id);
  expect(await verdictOf(id)).toMatchObject({ outcome: 'review', reviewed: false });
}, 180_000);

test('with the keyboard alone an owner copies a link, cancels and erases', async () => {
  const body = { method: 'document_only', reference: 'customer 77' };
  const { id, verify_url } = (await office.ask('POST', '/verifications', body)).json;
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, surprises } = await signedIn({ org: office.org, role: 'owner' }, { permissions });
  await page.goto(`${url}/verifications/${id}`);
  await tabTo(page, 'button[data-copy="link"]');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.textContent('button[data-copy="link"]')).toBe('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(verify_url);

  await tabTo(page, `form[action="/verifications/${id}/cancel"] button`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/verifications/${id}?notice=saved`);
  expect(await page.textContent('main')).toContain('cancelled');
  await tabTo(page, `form[action="/verifications/${id}/erase"] input[name=sure]`);
  await page.keyboard.press('Space');
  await tabTo(page, `form[action="/verifications/${id}/erase"] button`);
  const erased = page.waitForResponse((each) => each.url().endsWith('/erase'));
  await page.keyboard.press('Enter');
  expect((await erased).status()).toBe(303);
  await expect.poll(async () => (await office.read(id)).reference).toBeNull();
  expect(surprises).toEqual([]);
}, 180_000);

test('with the keyboard alone an owner invites a member, changes the role, and disables', async () => {
  const { page, surprises } = await signedIn({ org: office.org, role: 'owner' });
  const pressAt = async (selector: string, key = 'Enter') => {
    await tabTo(page, selector);
    await page.keyboard.press(key);
  };
  await page.goto(`${url}/members`);
  await tabTo(page, '#email');
  await page.keyboard.type('new.colleague@office.example');
  await tabTo(page, '#role');
  await page.keyboard.type('Rev');
  await pressAt('form[action="/members"] button');
  await page.waitForSelector('[data-secret]');
  await pressAt('main a[href="/members"]');
  await page.waitForSelector('table');
  const stored = async () => {
    const [row] = await harness.rows<{ id: string; role: string; disabled: boolean }>`
      select id, role, disabled_at is not null as disabled from members where email = 'new.colleague@office.example'`;
    return row;
  };
  const id = (await stored())?.id;
  expect(await stored()).toEqual({ id, role: 'reviewer', disabled: false });
  await pressAt(`a[href="/members/${id}"]`);
  await page.waitForURL(`**/members/${id}`);
  await tabTo(page, '#role');
  await page.keyboard.type('Aud');
  await pressAt(`form[action="/members/${id}/role"] button`);
  await page.waitForURL('**?notice=role_changed');
  await pressAt(`form[action="/members/${id}/disable"] button`);
  await page.waitForURL('**?notice=disabled');
  expect(await stored()).toEqual({ id, role: 'auditor', disabled: true });
  expect(surprises).toEqual([]);
}, 180_000);
