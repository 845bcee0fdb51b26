import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { cameraAccess, pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import {
  agentInApp,
  expectReasonInView,
  expectWayOut,
  heading,
  linkOf,
  pick,
  press,
  smallScreens,
  startWithPassport,
  takeWithDevice,
} from '../person.ts';
import { keepPicture } from '../screenshots.ts';

const harness = await startHarness();
const denied = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'];
const visit = browserOfFile(harness, denied);
const { key } = await harness.key();
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

test.each(['nl', 'en'] as const)(
  'if the camera is denied, the page says so in %s, and an upload goes on',
  async (language) => {
    const { page } = await visit(`${await linkOf(harness, key, 'document_only')}?lang=${language}`, phone);
    await startWithPassport(page);
    await page.click('.open');
    await expect.poll(() => page.textContent('.told')).toBe(cameraAccess(language, 'chrome'));
    expect(await page.isVisible('.by-camera label')).toBe(true);
    expect(await page.isVisible('.own-browser')).toBe(false);
    await expectAccessible(page);
    if (language === 'nl') await keepPicture(page, 'camera-denied-phone');
    await pick(page, await anyPicture());
    await press(page, 'picture');
    expect(await heading(page)).toBe(pageTexts[language].confirm.title);
  },
);

test.each(['phone', 'desk'] as const)(
  'on a small %s the reason is in view, above the other ways, in both languages',
  async (device) => {
    const { page } = await visit(await linkOf(harness, key, 'document_only'), smallScreens[device]);
    await startWithPassport(page);
    for (const language of ['en', 'nl'] as const) {
      if (language === 'nl') await page.click('a.language[hreflang=nl]');
      await expect.poll(() => page.getAttribute('html', 'lang')).toBe(language);
      await expectReasonInView(page, cameraAccess(language, 'chrome'));
      expect(await page.isVisible('.by-camera label')).toBe(device === 'phone');
      expect(await page.isVisible('.on-phone img')).toBe(device === 'desk');
      await expectAccessible(page);
    }
  },
);

test.each(['nl', 'en'] as const)(
  'inside another app the page says in %s how to open it in the own browser, and the camera of the device goes on',
  async (language) => {
    const link = `${await linkOf(harness, key, 'document_only')}?lang=${language}`;
    const { page } = await visit(link, {
      ...smallScreens.phone,
      userAgent: agentInApp,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await startWithPassport(page);
    // As long as the camera may work, the way out is one line.
    expect(await page.isVisible('.own-browser summary')).toBe(true);
    expect(await page.isVisible('.own-browser p')).toBe(false);
    await expectReasonInView(page, cameraAccess(language, 'in_app'));
    await expectWayOut(page, language, `https://verify.partner-test.example${link}`);
    await expectAccessible(page);
    await takeWithDevice(page, await anyPicture());
    expect(await heading(page)).toBe(pageTexts[language].confirm.title);
  },
);
