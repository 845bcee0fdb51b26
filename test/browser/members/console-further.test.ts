import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { codeOf, goodPassword, joins } from '../../support/people/console.ts';
import { checkedDossier, newRoots, signedToday } from '../../support/rows/roots.ts';
import { look, startConsoleInBrowser, tabTo } from './console.ts';

const roots = await newRoots();
const harness = await startHarness({ roots });
const { signedIn, url, visit } = await startConsoleInBrowser(harness);
const { key, id: keyId } = await harness.key({ org: 'Acme' });
const colleague = await joins(harness, url, { role: 'developer' });

const inReview = async (reference: string): Promise<string> => {
  const body = { reference, sandbox: { scenario: 'review' } };
  return (await call(harness, 'POST', '/v1/verifications', { key, body })).json.id;
};
const send = (page: Page, action: string) =>
  Promise.all([page.waitForEvent('load'), page.click(`form[action="${action}"] button >> nth=0`)]);

test.each(['en', 'nl'] as const)(
  'in %s, a member, a reset link, a key that was replaced, a verdict with its evidence, a review with a fault and a dossier are accessible',
  async (language) => {
    const id = await inReview(`customer 7 ${language}`);
    const { page } = await signedIn({ org: 'Acme', role: 'owner' });
    await harness.rows`update members set language = ${language} where role = 'owner'`;
    const see = async (name: string) => {
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      await look(page, `further-${language}-${name}`);
    };
    await page.goto(`${url}/members/${colleague.memberId}`);
    await see('member');
    await send(page, `/members/${colleague.memberId}/reset`);
    await see('reset-link');
    const link = ((await page.textContent('[data-secret]')) ?? '').trim();
    const opened = await visit(`${new URL(link).pathname}?lang=${language}`);
    await look(opened.page, `further-${language}-reset`);

    const { id: another } = language === 'en' ? { id: keyId } : await harness.key({ org: 'Acme' });
    await page.goto(`${url}/keys/${another}`);
    await page.evaluate(() => document.querySelector('option')?.setAttribute('value', '12'));
    await page.selectOption('#overlap', '12');
    await send(page, `/keys/${another}/rotate`);
    expect(await page.isVisible('#overlap-fault')).toBe(true);
    await see('overlap-fault');
    await send(page, `/keys/${another}/rotate`);
    await see('replaced-key');

    const path = `/verifications/${id}`;
    await page.goto(url + path);
    await see('verdict');
    await send(page, `${path}/evidence`);
    expect(await page.locator('figure img').count()).toBeGreaterThan(0);
    await see('evidence');
    await send(page, `/review/${id}/claim`);
    await send(page, `/review/${id}/decide`);
    expect(await page.locator('.fault').count()).toBe(1);
    await see('review-fault');
    await page.goto(url + path);
    await send(page, `${path}/dossier`);
    await page.waitForSelector('a[download]', { timeout: 60_000 });
    await see('dossier');
    await page.goto(`${url}/verifications?environment=live&text=nobody`);
    await see('no-hit');
    await page.goto(`${url}/review`);
    await see('empty-queue');
  },
  300_000,
);

test('on a phone the menu opens with a tap or a key, closes with Escape, and leads to each page', async () => {
  const { page } = await signedIn(
    { role: 'owner' },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  );
  const header = await page.locator('header').boundingBox();
  expect(header?.height).toBeLessThan(80);
  const keys = page.locator('nav a[href="/keys"]');
  expect(await keys.isVisible()).toBe(false);
  await tabTo(page, 'button[popovertarget]');
  await page.keyboard.press('Enter');
  await expect.poll(() => keys.isVisible()).toBe(true);
  await look(page, 'phone-menu');
  await page.keyboard.press('Escape');
  await expect.poll(() => keys.isVisible()).toBe(false);
  await page.tap('button[popovertarget]');
  await keys.tap();
  await page.waitForURL('**/keys');
});

test('with the keyboard alone a member signs in with both steps, makes a key, and searches', async () => {
  const { email, secret } = await joins(harness, url, { role: 'owner' });
  const id = await inReview('customer 8');
  const { page } = await visit('/sign-in');
  const type = async (selector: string, text: string) => {
    await tabTo(page, selector);
    await page.keyboard.type(text);
  };
  await type('#email', email);
  await type('#password', goodPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/code');
  await type('#code', codeOf(secret as Buffer, 1));
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav');

  await tabTo(page, 'nav a[href="/keys"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keys');
  await tabTo(page, 'a[href="/keys/new"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keys/new');
  await type('#name', 'by keyboard');
  await tabTo(page, 'form[action="/keys/new"] button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-secret]');
  await tabTo(page, 'button[data-copy]');

  await tabTo(page, 'a[href="/keys"]');
  await page.goto(`${url}/verifications`);
  await type('#text', 'customer 8');
  await tabTo(page, 'form[action="/verifications"] summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '#environment');
  await page.keyboard.type('s');
  await tabTo(page, 'form[action="/verifications"] button');
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]text=customer/);
  await tabTo(page, `a[href="/verifications/${id}"]`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/verifications/${id}`);
}, 120_000);

test('the queue shows what comes and goes by itself, and the focus never moves to another row', async () => {
  const first = await inReview('customer 9');
  const { page, surprises } = await signedIn({ org: 'Acme', role: 'reviewer' });
  await page.goto(`${url}/review?environment=sandbox`);
  const button = `form[action="/review/${first}/claim"] button`;
  await page.focus(button);
  await inReview('customer 10');
  await expect.poll(() => page.textContent('tbody'), { timeout: 60_000 }).toContain('customer 10');
  expect(await page.evaluate((each) => document.activeElement?.matches(each), button)).toBe(true);
  const other = await joins(harness, url, { role: 'reviewer' });
  expect((await other.visitor.submit('/review', `/review/${first}/claim`)).status).toBe(303);
  await expect.poll(() => page.locator(button).count(), { timeout: 60_000 }).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('region');
  expect(surprises).toEqual([]);
}, 180_000);

test('a dossier that is not ready is shown as soon as it is, without a reload', async () => {
  const id = await inReview('customer 11');
  const { page } = await signedIn({ org: 'Acme', role: 'auditor' });
  await page.goto(`${url}/verifications/${id}`);
  await harness.stopWorker();
  await send(page, `/verifications/${id}/dossier`);
  expect(await page.textContent('#now')).toContain('not ready');
  await harness.startWorker();
  await page.waitForSelector('#now a[download]', { timeout: 60_000 });
}, 180_000);

test('an auditor exports a dossier, and the check of an auditor accepts the file', async () => {
  const id = await inReview('customer 12');
  await signedToday(harness, roots);
  const { page } = await signedIn({ org: 'Acme', role: 'auditor' });
  await page.goto(`${url}/verifications?environment=sandbox&text=customer+12`);
  await page.click(`a[href="/verifications/${id}"]`);
  await page.click(`form[action="/verifications/${id}/dossier"] button[value="json"]`);
  await page.waitForSelector('#now a[download]', { timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#now a[download]')]);
  expect(download.suggestedFilename()).toBe(`dossier-${id}.json`);
  const file = await readFile(await download.path());
  const { faults, lines, anchored } = checkedDossier(file);
  expect([faults, anchored]).toEqual([[], lines]);
  expect(JSON.parse(String(file)).header).toMatchObject({ verification_id: id, reference: 'customer 12' });
}, 180_000);
