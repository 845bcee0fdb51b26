import { expect, test } from 'vitest';
import { livenessMeasurer } from '../../support/examiners/liveness-measurer.ts';
import { startHarness } from '../../support/harness.ts';
import { person } from '../../support/people/person.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { type Movement, posing } from '../../support/specimens/liveness/poses.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { heading, linkOf, press } from '../person.ts';
import { keepPicture, keepScreen } from '../screenshots.ts';
import { standBefore } from './moving.ts';
import { devices } from './photographing.ts';

/** Persons of live who move before the camera as the server asks. The product itself measures their frames. */

const harness = await startHarness({ liveness: await livenessMeasurer() });
const visit = browserOfFile(harness);
const { key } = await harness.key({ environment: 'live' });
const { poses, selfie } = await posing();
const patience = { timeout: 120_000 };

/** A person who has shown a passport and a face, at the page that asks for movements. */
async function arrived(device: keyof typeof devices, language: 'nl' | 'en', instead = {}) {
  const path = await linkOf(harness, key, 'document_liveness');
  const user = person(harness, harness.url + path);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.upload('selfie', selfie);
  const { page, surprises } = await visit('/verify/nothing', devices[device].options);
  surprises.length = 0;
  await standBefore(page, poses, instead);
  await page.goto(`${harness.url}${path}?lang=${language}`);
  expect(await heading(page)).toBe(pageTexts[language].movements.title);
  const [row] = await harness.rows<{ id: string }>`
    select id from verifications order by created_at desc limit 1`;
  return { page, surprises, id: String(row?.id) };
}

const livenessOf = async (id: string) => {
  const [row] = await harness.rows<{ verdict: { checks: { kind: string; result: string }[] } | null }>`
    select verdict from verifications where id = ${id}`;
  return row?.verdict?.checks.find(({ kind }) => kind === 'liveness')?.result;
};

test.each([
  ['phone', 'nl', 'usual'],
  ['desk', 'en', 'usual'],
  ['phone', 'en', 'longer'],
] as const)(
  'on a %s, in %s, with the %s time, who moves as asked passes, and goes on',
  async (device, language, time) => {
    const { movements, confirm, done } = pageTexts[language];
    const { page, surprises, id } = await arrived(device, language);
    await expectAccessible(page);
    const isShown = device === 'phone' && language === 'nl';
    if (isShown) await keepPicture(page, 'movements-phone');
    if (time === 'longer') await page.check('.longer');
    await page.click('.open');
    await page.waitForSelector('.shutter', { state: 'visible' });
    expect(await page.textContent('.camera .hint')).toBe(movements.hints.ready);
    await expectAccessible(page);
    await page.click('.shutter');
    const asked = () => page.getAttribute('dialog.camera', 'data-movement');
    await expect.poll(asked).toMatch(/left|right|up|closer/);
    const [movement, hint] = [await asked(), await page.textContent('.camera .hint')];
    expect(hint).toBe(movements.hints[movement as Movement]);
    if (isShown) await keepScreen(page, 'camera-movements-phone');
    await expect.poll(() => heading(page), patience).toBe(confirm.title);
    await press(page, 'submit');
    await expect.poll(() => heading(page), patience).toBe(done.title);
    expect(await livenessOf(id)).toBe('passed');
    expect(surprises).toEqual([]);
  },
  200_000,
);

test('who does something else is told so, may go on all the same, and the check fails', async () => {
  const { page, surprises, id } = await arrived('phone', 'en', {
    ...{ left: 'right', right: 'left', up: 'closer', closer: 'up' },
  });
  await page.click('.open');
  await page.click('.shutter');
  await expect
    .poll(() => page.textContent('body'), patience)
    .toContain(pageTexts.en.advice.movements_missing);
  await expectAccessible(page);
  await page.click('section.advice a');
  await expect.poll(() => heading(page)).toBe(pageTexts.en.confirm.title);
  await press(page, 'submit');
  await expect.poll(() => heading(page), patience).toBe(pageTexts.en.done.title);
  expect(await livenessOf(id)).toBe('failed');
  expect(surprises).toEqual([]);
}, 200_000);

test('who closes the camera in the middle sends nothing, and may begin again', async () => {
  const { page, id } = await arrived('phone', 'en');
  await page.click('.open');
  await page.click('.shutter');
  await page.waitForSelector('dialog.records');
  await page.click('.camera .close');
  await page.waitForSelector('dialog.camera', { state: 'hidden' });
  expect(
    await harness.rows`select 1 from evidence where verification_id = ${id} and kind = 'movements'`,
  ).toEqual([]);
  await page.click('.open');
  const hint = () => page.textContent('.camera .hint');
  await expect.poll(hint).toBe(pageTexts.en.movements.hints.ready);
  // What was asked before has no voice any more.
  for (let look = 0; look < 12; look++) {
    await page.waitForTimeout(500);
    expect(await hint()).toBe(pageTexts.en.movements.hints.ready);
  }
});

test('who has no connection when it begins is told so, and may begin again', async () => {
  const { page } = await arrived('phone', 'en');
  await page.click('.open');
  await page.waitForSelector('.shutter', { state: 'visible' });
  await page.context().setOffline(true);
  await page.click('.shutter');
  await expect.poll(() => page.textContent('.told')).toBe(pageTexts.en.movements.offline);
  await page.context().setOffline(false);
  await page.click('.open');
  await page.click('.shutter');
  await page.waitForSelector('dialog.records');
});

test('what to do is read aloud by a voice of the device, and no other voice is offered', async () => {
  const { page } = await arrived('phone', 'nl');
  expect(await page.isVisible('.aloud')).toBe(false);
  await page.addInitScript(() => {
    const spoken: string[] = [];
    const voices = [
      { localService: false, lang: 'nl-NL', name: 'far' },
      { localService: true, lang: 'nl-NL', name: 'near' },
    ];
    const speechSynthesis = Object.assign(new EventTarget(), {
      getVoices: () => voices,
      cancel: () => undefined,
      speak: ({ voice, text }: { voice: { name: string }; text: string }) =>
        spoken.push(`${voice.name}: ${text}`),
    });
    class SpeechSynthesisUtterance {
      voice: unknown = null;
      lang = '';
      text: string;
      constructor(text: string) {
        this.text = text;
      }
    }
    Object.defineProperties(window, {
      speechSynthesis: { value: speechSynthesis },
      SpeechSynthesisUtterance: { value: SpeechSynthesisUtterance },
      spoken: { value: spoken },
    });
  });
  await page.reload();
  await page.check('.aloud');
  await page.click('.open');
  await page.click('.shutter');
  const { hints } = pageTexts.nl.movements;
  await page.waitForFunction(() => (window as unknown as { spoken: string[] }).spoken.length >= 3);
  const spoken = await page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
  expect(spoken.slice(0, 2)).toEqual([`near: ${hints.ready}`, `near: ${hints.middle}`]);
});
