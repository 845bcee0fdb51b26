import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startOffice } from '../integration/reviews/support.ts';
import { codeOf, goodPassword, joins } from '../support/console.ts';
import { startHarness } from '../support/harness.ts';
import { person } from '../support/person.ts';
import { bsnSpecimen } from '../support/specimens/bsn/specimens.ts';
import { browserOfFile, expectAccessible } from './browser.ts';

const harness = await startHarness();
const site = await harness.startConsole();
const url = site.url.replace('127.0.0.1', 'localhost');
const visit = browserOfFile({ ...harness, url });
const office = await startOffice(harness, { environment: 'live' });
const folder = process.env.SCREENSHOTS;
const drawnFace = new URL('../support/specimens/bsn/face.svg', import.meta.url);

async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** A person walks through the flow with a drawn document and a drawn face. */
async function walked(reference: string): Promise<string> {
  const body = { method: 'document_liveness', reference };
  const { json } = await office.ask('POST', '/verifications', body);
  const specimen = await bsnSpecimen(1, { kind: 'card of 2021', form: 'plain', shot: {} });
  const selfie = await sharp(readFileSync(drawnFace))
    .resize({ width: 900 })
    .flatten({ background: '#ccc' })
    .jpeg()
    .toBuffer();
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('card_front', specimen.front);
  await user.upload('card_back', specimen.back as Buffer);
  await user.upload('selfie', selfie);
  await user.submit();
  await expect.poll(async () => (await office.read(json.id)).status, { timeout: 200_000 }).toBe('completed');
  return json.id;
}

/** Signs in with password and code. */
async function signedIn(role: 'owner' | 'reviewer', options = {}): Promise<Page> {
  const { email, secret } = await joins(harness, url, { org: office.org, role });
  const { page } = await visit('/sign-in', options);
  await page.fill('#email', email);
  await page.fill('#password', goodPassword);
  await page.click('form[action="/sign-in"] button');
  await page.waitForURL('**/code');
  await page.fill('#code', codeOf(secret as Buffer, 1));
  await page.click('form[action="/sign-in/code"] button');
  await page.waitForSelector('nav');
  return page;
}

test('a reviewer signs in, takes a live verification and approves it with the keyboard alone', async () => {
  const id = await walked('customer 41');
  const page = await signedIn('reviewer');
  await page.goto(`${url}/review`);
  expect(await page.textContent('tbody')).toContain('customer 41');
  await look(page, 'review-queue');
  // The first free one has the focus.
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/review/${id}`);
  await look(page, 'review-one');
  const pictures = await page.locator('figure img').all();
  expect(pictures.length).toBeGreaterThanOrEqual(3);
  for (const picture of pictures)
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);

  await page.keyboard.press('z');
  await expect.poll(() => page.evaluate(() => location.hash)).not.toBe('');
  if (folder !== undefined) await page.screenshot({ path: `${folder}/review-enlarged.png` });
  await page.keyboard.press('a');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/review?environment=live&notice=reviewed');
  await look(page, 'review-done');
  expect(await office.read(id)).toMatchObject({
    verdict: { outcome: 'approved', assurance_level: 'substantial', reviewed: true },
  });
  await expect.poll(() => office.received(id)).toHaveLength(1);
}, 300_000);

test('search, one verification and the queue are accessible on a desk, and on a phone in the dark', async () => {
  const body = { method: 'document_only', reference: 'customer 42' };
  const { id } = (await office.ask('POST', '/verifications', body)).json;
  const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };
  for (const [name, options] of [['desk', {}] as const, ['phone', phone] as const]) {
    const page = await signedIn('owner', options);
    for (const path of ['verifications', `verifications/${id}`, 'review']) {
      await page.goto(`${url}/${path}`);
      await look(page, `${name}-${path.split('/').length > 1 ? 'verification' : path}`);
    }
  }
}, 180_000);
