import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { choose, consent, heading, linkOf, press, stayStill } from '../person.ts';
import { keepPicture } from '../screenshots.ts';
import { fakeCamera } from './fake-camera.ts';
import { onPhone } from './frames.ts';
import { card, devices, passport, photograph, sourcesIn } from './photographing.ts';

/** Persons who go from the link to the end with the live camera: both document methods, phone and desk, in both languages. */

const harness = await startHarness();
const camera = await fakeCamera();
const visit = browserOfFile(harness, camera.flags);
const { key } = await harness.key();

const walks = [
  ['document_liveness', 'phone', 'nl', [...passport, 'selfie']],
  ['document_liveness', 'phone', 'en', [...card, 'selfie']],
  ['document_liveness', 'desk', 'nl', [...card, 'selfie']],
  ['document_liveness', 'desk', 'en', [...passport, 'selfie']],
  ['document_only', 'phone', 'en', passport],
  ['document_only', 'phone', 'nl', card],
  ['document_only', 'desk', 'nl', card],
  ['document_only', 'desk', 'en', passport],
] as const;

test.each(walks)(
  'with %s, on a %s, in %s, a person goes from the link to the end with the camera: %j',
  async (method, device, language, kinds) => {
    const { scene, options } = devices[device];
    const { confirm, done } = pageTexts[language];
    const link = await linkOf(harness, key, method);
    const { page, surprises } = await visit(`${link}?lang=${language}`, options);
    await consent(page);
    await press(page, 'start');
    await choose(page, kinds[0]);
    for (const kind of kinds) await photograph(page, camera, kind, language, scene);
    if (method === 'document_liveness') await stayStill(page, language);
    await expect.poll(() => heading(page)).toBe(confirm.title);
    expect(await sourcesIn(harness, link)).toEqual(['live_camera']);
    const pictures = await page
      .locator('.thumbnail:visible')
      .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).src.slice(0, 5)));
    expect(pictures).toEqual(kinds.map(() => 'blob:'));
    await expectAccessible(page);
    if (language === 'nl' && method === 'document_liveness' && device === 'phone')
      await keepPicture(page, 'confirm-with-photos-phone');
    await press(page, 'submit');
    await expect.poll(() => heading(page)).toBe(done.title);
    expect(surprises).toEqual([]);
  },
);

const handedOver = [
  ['document_liveness', 'en', [...card, 'selfie']],
  ['document_liveness', 'nl', [...passport, 'selfie']],
  ['document_only', 'nl', passport],
  ['document_only', 'en', card],
] as const;

test.each(handedOver)(
  'with %s, in %s, a person begins on a computer, takes every photo with the phone, and the computer shows the end',
  async (method, language, kinds) => {
    const { handover, confirm, done } = pageTexts[language];
    const link = `${await linkOf(harness, key, method)}?lang=${language}`;
    const { page: computer } = await visit(link, devices.desk.options);
    await consent(computer);
    await press(computer, 'start');
    // The first answer that the computer gets is its own step.
    await computer.waitForResponse((response) => response.url().includes('follow=phone'));
    const { page: phone, surprises } = await visit(link, devices.phone.options);
    await choose(phone, kinds[0]);
    for (const kind of kinds) {
      await photograph(phone, camera, kind, language, onPhone);
      await expect.poll(() => heading(computer)).toBe(handover.following);
    }
    if (method === 'document_liveness') await stayStill(phone, language);
    await expect.poll(() => heading(phone)).toBe(confirm.title);
    const phoneAt = handover.phoneAt(handover.steps.confirm);
    await expect.poll(() => computer.textContent('.follows p')).toBe(phoneAt);
    expect(await sourcesIn(harness, link)).toEqual(['live_camera']);
    await press(phone, 'submit');
    await expect.poll(() => heading(phone)).toBe(done.title);
    await expect.poll(() => heading(computer)).toBe(done.title);
    expect(surprises).toEqual([]);
  },
);
