import { expect, test } from 'vitest';
import { noChecks } from '../../support/examiners/no-checks.ts';
import { pictureLooker } from '../../support/examiners/picture-looker.ts';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { faces, noise, wall } from '../../support/specimens/looks/scenes.ts';
import { eriksson } from '../../support/specimens/people.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { choose, consent, heading, linkOf, pick, press, stayStill } from '../person.ts';
import { fakeCamera } from './fake-camera.ts';
import { documentFrame, faceFrame, onPhone, sceneFrame, tiledFrame } from './frames.ts';

/** The product looks at the pictures itself. The documents are not examined, because nobody here sends anything. */
const harness = await startHarness({
  looker: await pictureLooker(),
  documents: noChecks,
});
/**
 * The page waits a second and a half for what the look found. On a busy machine the look takes longer, so the clock of these pages is slow.
 */
const { clock } = harness.ctx;
const slowClock = { ...clock, monotonicMs: () => clock.monotonicMs() / 40 };
const { url } = await harness.startApi({ clock: slowClock });
const camera = await fakeCamera();
const visit = browserOfFile({ ...harness, url }, camera.flags);
const { key } = await harness.key({ environment: 'live' });
const phone = { viewport: onPhone.screen, isMobile: true, hasTouch: true };

type Visited = Awaited<ReturnType<typeof visit>>['page'];
type Kind = 'passport_page' | 'card_front' | 'card_back' | 'selfie';

/** Takes the page of one picture with the camera, and sends what it sees. Returns what the look found, however busy the machine is. */
async function photographed(page: Visited, kind: Kind, frame: Buffer): Promise<string> {
  await camera.show(frame);
  await page.click('.open');
  await page.waitForSelector('.camera .shutter', { state: 'visible' });
  await page.click('.camera .shutter');
  await page.waitForSelector('.shown', { state: 'visible' });
  await press(page, 'picture');
  const found = async () => {
    const [row] = await harness.rows<{ look: string | null }>`
      select look from evidence e join verifications v on v.id = e.verification_id
      where e.kind = ${kind} order by v.created_at desc limit 1`;
    return row?.look ?? '';
  };
  await expect.poll(found, { timeout: 60_000 }).not.toBe('');
  return found();
}

/** The picture beside the advice: whether it is there, and what stands for it. Null if there is none. */
const pictureBeside = (page: Visited) =>
  page
    .locator('section.advice img:visible')
    .evaluateAll(([image]) =>
      image instanceof HTMLImageElement ? { isLoaded: image.naturalWidth > 0, alt: image.alt } : null,
    );

/** Begins in live, and goes to the page of this picture. */
async function begun(kind: Kind): Promise<Visited> {
  const path = await linkOf(harness, key, 'document_liveness');
  const { page } = await visit(path, phone);
  await consent(page);
  await press(page, 'start');
  if (kind === 'passport_page' || kind === 'card_front') await choose(page, kind);
  else await page.goto(`${url}${path}?lang=en&take=${kind}`);
  return page;
}

const expired = { ...eriksson, expiry: '2020-01-31' };
const poor = [
  ['noise', 'passport_page', 'no_document', async () => sceneFrame(await noise())],
  ['a wall', 'card_front', 'no_document', async () => tiledFrame(await wall())],
  ['the back instead of the front', 'card_front', 'wrong_side', () => documentFrame('back')],
  ['an expired passport', 'passport_page', 'expired', () => documentFrame('passport', { person: expired })],
  ['noise instead of a face', 'selfie', 'no_face', async () => sceneFrame(await noise())],
  ['two faces', 'selfie', 'several_faces', async () => sceneFrame(await faces([600, 560]), 'contain')],
] as const;

test.each(poor)(
  'in live, a camera that sees %s gets the advice for it, in both languages',
  async (_, kind, advice, frame) => {
    const page = await begun(kind);
    expect(await photographed(page, kind, await frame())).toBe(advice);
    // Nobody opens the page again: it is the answer to the press.
    await expect.poll(() => page.textContent('section.advice')).toContain(pageTexts.en.advice[advice]);
    expect(await heading(page)).toBe(pageTexts.en.picture[kind].title);
    const beside = (language: 'en' | 'nl') =>
      expect
        .poll(() => pictureBeside(page))
        .toEqual({ isLoaded: true, alt: pageTexts[language].camera.taken });
    await beside('en');
    await expectAccessible(page);
    await page.click('a.language');
    await expect.poll(() => page.textContent('section.advice')).toContain(pageTexts.nl.advice[advice]);
    await beside('nl');
  },
);

test('a new photo hides the advice on the one before, which comes back with it', async () => {
  const page = await begun('selfie');
  expect(await photographed(page, 'selfie', await sceneFrame(await noise()))).toBe('no_face');
  await page.waitForSelector('section.advice img', { state: 'visible' });
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  expect(await page.isVisible('section.advice')).toBe(false);
  await page.click('.retake');
  expect(await page.isVisible('section.advice img')).toBe(true);
  // Without the memory of the page there is no picture, and no empty place for it.
  await page.reload();
  expect(await page.isVisible('section.advice')).toBe(true);
  expect(await pictureBeside(page)).toBe(null);
});

test('in live, a good passport and one face get no advice', async () => {
  const page = await begun('passport_page');
  expect(await photographed(page, 'passport_page', await documentFrame('passport'))).toBe('fine');
  await expect.poll(() => heading(page)).toBe(pageTexts.en.picture.selfie.title);
  expect(await photographed(page, 'selfie', await faceFrame())).toBe('fine');
  await stayStill(page);
  await expect.poll(() => heading(page)).toBe(pageTexts.en.confirm.title);
  expect(await page.locator('.advice').count()).toBe(0);
});
