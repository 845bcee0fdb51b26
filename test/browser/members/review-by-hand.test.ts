import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { doubtful } from '../../integration/dossiers/support.ts';
import { startOffice } from '../../integration/reviews/support.ts';
import { documentMasker } from '../../support/examiners/document-masker.ts';
import { startHarness } from '../../support/harness.ts';
import { look, startConsoleInBrowser, tabTo } from './console.ts';
import { drawnWalks } from './drawn-walks.ts';

/** What a reviewer does with the hands: with keys, with the pointer, and without scripts. */

const harness = await startHarness({ documents: doubtful, masker: await documentMasker() });
const { signedIn, url } = await startConsoleInBrowser(harness);
const slow = await startConsoleInBrowser(harness, { reviewHeldMs: 10_000 });
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

const screens = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** The id of the picture that fills the window. */
const enlarged = (page: Page) =>
  page.evaluate(() => {
    const viewer = document.querySelector('dialog');
    const { left, top, width, height } = (viewer as HTMLDialogElement).getBoundingClientRect();
    if ([left, top, width, height].join() !== [0, 0, innerWidth, innerHeight].join()) return null;
    const shown = viewer?.querySelector('img')?.src;
    const figures = [...document.querySelectorAll('figure.picture')];
    return figures.find((figure) => figure.querySelector('img')?.src === shown)?.id ?? null;
  });

test('the page says how many minutes are left, and counts them down', async () => {
  const id = await walked('customer 70');
  const { page } = await asReviewer();
  await page.clock.install();
  await take(page, id);
  const left = () => page.textContent('[data-minutes]');
  expect(await left()).toBe('15');
  await page.clock.fastForward('04:30');
  await expect.poll(left).toBe('11');
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
  await page.keyboard.press('Escape');
  await expect.poll(() => enlarged(page)).toBeNull();
  await page.click('#selfie a.open');
  await expect.poll(() => enlarged(page)).toBe('selfie');
  await page.click('dialog [data-act=close]');
  await expect.poll(() => enlarged(page)).toBeNull();
  expect(await page.evaluate(() => document.activeElement?.closest('figure')?.id)).toBe('selfie');
}, 180_000);

test('an enlarged picture is whole at first, and can be made larger, moved and turned, by keys and by the pointer', async () => {
  const id = await walked('customer 79');
  const { page } = await asReviewer();
  await take(page, id);
  await page.keyboard.press('z');
  const picture = page.locator('dialog img');
  await picture.waitFor();
  const stage = await page.locator('dialog .stage').boundingBox();
  if (stage === null) expect.unreachable('there is no stage');
  const box = async () => {
    const { x, y, width, height } = (await picture.boundingBox()) ?? expect.unreachable('no picture');
    return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
  };
  const isWhole = ({ x, y, width, height }: Awaited<ReturnType<typeof box>>) =>
    x >= stage.x - 1 &&
    y >= stage.y - 1 &&
    x + width <= stage.x + stage.width + 1 &&
    y + height <= stage.y + stage.height + 1 &&
    (width >= stage.width - 2 || height >= stage.height - 2);
  const whole = await box();
  expect(isWhole(whole)).toBe(true);
  await page.keyboard.press('+');
  expect((await box()).width / whole.width).toBeCloseTo(1.25, 1);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('0');
  expect(await box()).toEqual(whole);
  await page.keyboard.press('t');
  const turned = await box();
  expect(isWhole(turned)).toBe(true);
  expect(turned.width / turned.height).toBeCloseTo(whole.height / whole.width, 1);
  await page.click('dialog [data-act=fit]');
  for (let turns = 1; turns < 4; turns++) await page.click('dialog [data-act=turn]');
  expect(await box()).toEqual(whole);

  // What lies under the pointer stays there.
  await page.mouse.move(stage.x + 200, stage.y + 150);
  await page.mouse.wheel(0, -100);
  const near = await box();
  const shareOf = ({ x, width }: { x: number; width: number }) => (stage.x + 200 - x) / width;
  expect(shareOf(near)).toBeCloseTo(shareOf(whole), 2);
  await page.mouse.down();
  await page.mouse.move(stage.x + 260, stage.y + 190, { steps: 4 });
  await page.mouse.up();
  const moved = await box();
  expect([moved.x - near.x, moved.y - near.y]).toEqual([60, 40]);
}, 180_000);

test.each(['card of 2021', 'passport of 2014'] as const)(
  'a %s is decided by two clicks or two keys without scrolling, and the next one follows',
  async (kind) => {
    const walk = await drawnWalks(harness, office.key, kind);
    const ids = [await walk(`first of two, ${kind}`), await walk(`second of two, ${kind}`)];
    const { page, surprises } = await asReviewer({ viewport: screens.desk });
    await page.goto(`${url}/review`);
    await page.waitForSelector('form[action="/review/next"] button:focus');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/review/${ids[0]}?row=1`);
    const isInSight = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
    };
    const seen = ['#masked_front img', '#portrait img', '#selfie img', '#decision button.danger'];
    for (const part of [...seen, `form[action="/review/${ids[0]}/release"] button`])
      expect([part, await isInSight(part)]).toEqual([part, true]);
    await page.click('#decision [data-keys=a]');
    await page.click('#decision button:not(.danger)');
    await page.waitForURL(`**/review/${ids[1]}?row=1&notice=reviewed`);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await backInQueue(page, 'reviewed');
    expect(await verdictOf(ids[0] ?? '')).toMatchObject({ outcome: 'approved', reviewed: true });
    expect(await verdictOf(ids[1] ?? '')).toMatchObject({
      outcome: 'rejected',
      reasons: [expect.stringContaining('contradict')],
    });
    expect(surprises).toEqual([]);
  },
  180_000,
);

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

test('a decision can be taken back for some seconds, by two keys, nothing moves when they are over, and it is decided anew', async () => {
  const id = await walked('customer 80');
  const { page, surprises } = await slow.signedIn({ org: office.org, role: 'reviewer' });
  await page.goto(`${slow.url}/review`);
  await page.click(claim(id));
  await page.waitForURL(`**/review/${id}`);
  for (const key of ['4', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL('**&decided=*');
  const offer = page.locator('.take-back');
  const seconds = async () => Number(await offer.locator('b').textContent());
  const first = await seconds();
  await expect.poll(seconds).toBeLessThan(first);
  await look(page, 'review-taken-back');
  await page.focus('.take-back button');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/review/${id}?notice=taken_back`);
  for (const key of ['a', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL('**&decided=*');
  expect((await verdictOf(id)).reviewed).toBe(false);
  const place = () => page.locator('#now').boundingBox();
  const before = await place();
  expect(before).not.toBeNull();
  await offer.waitFor({ state: 'detached' });
  expect(await place()).toEqual(before);
  await expect.poll(() => verdictOf(id)).toMatchObject({ outcome: 'approved', reviewed: true });
  expect(surprises).toEqual([]);
}, 180_000);

test('a note is written between tick and Enter, and its letters and digits tick nothing', async () => {
  const id = await walked('customer 82');
  const { page, surprises } = await asReviewer({ viewport: screens.phone });
  await take(page, id);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(screens.phone.width);
  await page.keyboard.press('a');
  const details = page.locator('form:has(input[value=approved]) details');
  await details.locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A2 seen at the desk, 1 r z');
  await look(page, 'review-note');
  expect(await page.locator('[name=reason]:checked').count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await backInQueue(page, 'reviewed');
  await page.goto(`${url}/verifications/${id}`);
  expect(await page.textContent('.note')).toBe('approved A2 seen at the desk, 1 r z');
  expect(surprises).toEqual([]);
}, 180_000);

test('who switched single keys off is told of none, and they do nothing', async () => {
  const id = await walked('customer 81');
  const { page } = await asReviewer();
  await page.goto(`${url}/account`);
  await page.uncheck('input[name=shortcuts]');
  await page.click('form[action="/account/preferences"] button');
  await page.waitForURL('**?notice=saved');
  expect(await page.isChecked('input[name=shortcuts]')).toBe(false);
  await take(page, id);
  expect(await page.locator('kbd, .shortcuts').count()).toBe(0);
  for (const key of ['a', '1', 'r', 'z']) await page.keyboard.press(key);
  expect(await page.locator('input:checked').count()).toBe(0);
  expect(await enlarged(page)).toBeNull();
  await page.check('#approved');
  expect(await page.locator('input:checked').count()).toBe(1);
}, 180_000);

test('what is in doubt is marked, by its words and by its colour, and nothing else is', async () => {
  const id = await walked('customer 74');
  const { page } = await asReviewer();
  await take(page, id);
  const marked = await page
    .locator('td .tag.doubt')
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
  expect(await page.textContent('#approved-fault')).toBe(
    'Tick that you confirm this, or choose a reason to reject.',
  );
  await approve.locator('input[type=checkbox]').check();
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

  await tabTo(page, `form[action="/verifications/${id}/cancel"] input[name=sure]`);
  await page.keyboard.press('Space');
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
  await pressAt(`form[action="/members/${id}/disable"] input[name=sure]`, 'Space');
  await pressAt(`form[action="/members/${id}/disable"] button`);
  await page.waitForURL('**?notice=disabled');
  expect(await stored()).toEqual({ id, role: 'auditor', disabled: true });
  expect(surprises).toEqual([]);
}, 180_000);
