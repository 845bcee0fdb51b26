import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startOffice } from '../../integration/reviews/support.ts';
import { covers } from '../../requirements.ts';
import { startHarness } from '../../support/harness.ts';
import { signatureBy, signaturesOf } from '../../support/people/partner.ts';
import type { Received } from '../../support/people/receiver.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { untilMasked } from '../../support/rows/masked.ts';
import { bsnSpecimen } from '../../support/specimens/bsn/specimens.ts';
import { choose, consent, heading, pick, press, stayStill } from '../person.ts';
import { folder, look, startConsoleInBrowser } from './console.ts';

const harness = await startHarness();
const { signedIn, url, visit } = await startConsoleInBrowser(harness);
const office = await startOffice(harness, { environment: 'live' });
const drawnFace = new URL('../../support/specimens/bsn/face.svg', import.meta.url);

/** Hands in a picture with the page that asks for it. Advice about a drawn picture does not stop a person. */
async function handIn(page: Page, kind: 'card_front' | 'card_back' | 'selfie', picture: Buffer) {
  await page.waitForSelector(`section.capture[data-kind="${kind}"]`);
  await pick(page, picture);
  await page.waitForSelector('.shown', { state: 'visible' });
  await press(page, 'picture');
  const anyway = page.locator('section.advice a');
  if ((await anyway.count()) > 0) await anyway.first().click();
}

/** A person walks through the flow on a phone with Chromium, with a drawn document and a drawn face. */
async function walked(reference: string): Promise<string> {
  const body = { method: 'document_liveness', reference };
  const { json } = await office.ask('POST', '/verifications', body);
  const specimen = await bsnSpecimen(1, { kind: 'card of 2021', form: 'plain', shot: {} });
  const selfie = await sharp(readFileSync(drawnFace))
    .resize({ width: 900 })
    .flatten({ background: '#ccc' })
    .jpeg()
    .toBuffer();
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const { page } = await visit('/sign-in', phone);
  covers('1/live-completed-by-end-user-only');
  const { json: refused } = await office.ask('POST', `/verifications/${json.id}/complete`);
  expect(refused.error.code).toBe('not_sandbox');
  await page.goto(harness.url + new URL(json.verify_url).pathname);
  await consent(page);
  await press(page, 'start');
  await choose(page, 'card_front');
  await handIn(page, 'card_front', specimen.front);
  await handIn(page, 'card_back', specimen.back as Buffer);
  await handIn(page, 'selfie', selfie);
  await stayStill(page);
  await expect.poll(() => heading(page)).toBe(pageTexts.en.confirm.title);
  await press(page, 'submit');
  await expect.poll(async () => (await office.read(json.id)).status, { timeout: 200_000 }).toBe('completed');
  await expect.poll(() => heading(page), { timeout: 60_000 }).toBe(pageTexts.en.done.title);
  await untilMasked(harness.rows, json.id);
  return json.id;
}

/** The event that the partner received. Its signature is that of the specification, over the bytes that came. */
async function signedEvent(wanted: string, id: string) {
  const isIt = ({ body }: Received) => {
    const { type, data } = JSON.parse(String(body));
    return type === wanted && data.verification_id === id;
  };
  const received = () => office.receiver.received.filter(isIt);
  await expect.poll(received, { timeout: 60_000 }).toHaveLength(1);
  const [event] = received() as [Received];
  expect(signaturesOf(event)).toEqual([signatureBy(office.endpoint.secret, event)]);
  return JSON.parse(String(event.body));
}

test('a person walks the flow, a reviewer takes the verification and approves it with the keyboard alone, and the partner gets a signed event', async () => {
  const id = await walked('customer 41');
  covers('3/person-completes', '3/person-verdict', '3/person-event');
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'review', reviewed: false });
  expect((await signedEvent('verification.completed', id)).data).toMatchObject({ outcome: 'review' });
  const { page } = await signedIn({ org: office.org, role: 'reviewer' });
  await page.goto(`${url}/review`);
  expect(await page.textContent('tbody')).toContain('customer 41');
  await look(page, 'review-queue');
  // The button that begins has the focus.
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/review/${id}?row=1`);
  await look(page, 'review-one');
  const pictures = await page.locator('figure img').all();
  expect(pictures.length).toBeGreaterThanOrEqual(3);
  for (const picture of pictures)
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);

  await page.keyboard.press('z');
  await page.waitForSelector('dialog img');
  if (folder !== undefined) await page.screenshot({ path: `${folder}/review-enlarged.png` });
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/review?environment=live&notice=reviewed');
  await look(page, 'review-done');
  const verdict = { outcome: 'approved', assurance_level: 'substantial', reviewed: true };
  expect(await office.read(id)).toMatchObject({ verdict });
  expect((await signedEvent('verification.reviewed', id)).data).toMatchObject({
    verification_id: id,
    ...verdict,
  });
}, 400_000);

test('search, one verification and the queue are accessible on a desk, and on a phone in the dark', async () => {
  const body = { method: 'document_only', reference: 'customer 42' };
  const { id } = (await office.ask('POST', '/verifications', body)).json;
  const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };
  for (const [name, options] of [['desk', {}] as const, ['phone', phone] as const]) {
    const { page } = await signedIn({ org: office.org, role: 'owner' }, options);
    for (const path of ['verifications', `verifications/${id}`, 'review']) {
      await page.goto(`${url}/${path}`);
      await look(page, `${name}-${path.split('/').length > 1 ? 'verification' : path}`);
    }
  }
}, 180_000);
