import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Harness } from '../../support/harness.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { expectAccessible } from '../browser.ts';
import { heading, press } from '../person.ts';
import { keepScreen } from '../screenshots.ts';
import { type FakeCamera, openOn, shutter } from './fake-camera.ts';
import { documentFrame, faceFrame, onDesk, onPhone, type Scene } from './frames.ts';

/** Persons who take their photos with the live camera. */

export const devices: Record<'phone' | 'desk', { scene: Scene; options: BrowserContextOptions }> = {
  phone: { scene: onPhone, options: { viewport: onPhone.screen, isMobile: true, hasTouch: true } },
  desk: { scene: onDesk, options: { viewport: onDesk.screen } },
};

export type Kind = 'passport_page' | 'card_front' | 'card_back' | 'selfie';
const sides = { passport_page: 'passport', card_front: 'front', card_back: 'back' } as const;

/** Takes the picture that this page asks for, and uses it. */
export async function photograph(
  page: Page,
  camera: FakeCamera,
  kind: Kind,
  language: PageLanguage,
  scene: Scene,
): Promise<void> {
  const { camera: texts, picture } = pageTexts[language];
  await expect.poll(() => heading(page)).toBe(picture[kind].title);
  const isFace = kind === 'selfie';
  const frame = isFace ? await faceFrame(scene) : await documentFrame(sides[kind], { scene });
  await openOn(page, camera, frame, (isFace ? texts.faceHints.ready : undefined) ?? texts.hints.ready);
  await expectAccessible(page);
  const isShown = language === 'nl' && scene === onPhone && (kind === 'passport_page' || isFace);
  if (isShown) await keepScreen(page, `camera-${kind}-phone`);
  await page.click(shutter);
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('img.preview')?.naturalWidth ?? 0) > 1_000,
  );
  expect(await page.textContent('.shown h2')).toBe(texts.readable[isFace ? 'face' : 'document']);
  await expectAccessible(page);
  if (isShown) await keepScreen(page, `photo-taken-${kind}-phone`);
  await press(page, 'picture');
}

/** How the browser says that the pictures of the latest verification came. */
export async function sourcesIn(harness: Harness, link: string): Promise<string[]> {
  const rows = await harness.rows<{ source: string }>`
    select distinct e.source from evidence e join verifications v on v.id = e.verification_id
    where v.created_at = (select max(created_at) from verifications) and e.kind <> 'movements'`;
  expect(rows.length, link).toBeGreaterThan(0);
  return rows.map(({ source }) => source);
}

export const passport = ['passport_page'] as const;
export const card = ['card_front', 'card_back'] as const;
