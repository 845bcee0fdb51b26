import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startCluster, superviseWorker } from '../../integration/several/cluster.ts';
import { call } from '../../support/harness.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile } from '../browser.ts';
import { choose, consent, heading, press, stayStill } from '../person.ts';
import { fakeCamera } from './fake-camera.ts';
import { card, devices, photograph } from './photographing.ts';

/** The product in processes of its own, as in production. Its only worker is killed again and again, and starts anew each time. */

const cluster = await startCluster({ workers: 0 });
afterAll(() => cluster.stop());
const killWorker = await superviseWorker(cluster);
const [api] = cluster.apis;
const camera = await fakeCamera();
const visit = browserOfFile(api, camera.flags);
const patience = { timeout: 240_000 };

/** A page that could not be served in time says so, and the person presses again. `titles` are those of the pages that follow. */
async function insist(page: Page, action: 'start' | 'submit', titles: readonly string[]): Promise<void> {
  await press(page, action);
  await expect
    .poll(async () => {
      if (titles.includes((await heading(page)) ?? '')) return true;
      const again = page.locator(`form[action*="/${action}?"] button:visible`);
      if ((await again.count()) > 0 && (await again.getAttribute('aria-disabled')) === null)
        await press(page, action);
      return false;
    }, patience)
    .toBe(true);
}

test('with the camera a person goes from the link to the end, although the worker is killed between each two steps', async () => {
  const { key } = await cluster.key({ org: 'Walks', environment: 'live' });
  const { json } = await call(api, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_liveness' },
  });
  const { scene, options } = devices.phone;
  const { document: choice, confirm, checking, done } = pageTexts.nl;
  const { page } = await visit(`${new URL(json.verify_url).pathname}?lang=nl`, options);
  await killWorker();
  await consent(page);
  await insist(page, 'start', [choice.title]);
  await killWorker();
  await choose(page, card[0]);
  for (const kind of [...card, 'selfie'] as const) {
    await photograph(page, camera, kind, 'nl', scene);
    await killWorker();
  }
  await stayStill(page, 'nl');
  await killWorker();
  await expect.poll(() => heading(page)).toBe(confirm.title);
  // The verdict may stand before a Send that was repeated is answered.
  await insist(page, 'submit', [checking.title, done.title]);
  await killWorker();
  await expect.poll(() => heading(page), patience).toBe(done.title);
  const { json: read } = await call(api, 'GET', `/v1/verifications/${json.id}`, { key });
  expect(read).toMatchObject({ status: 'completed', verdict: { outcome: 'review' } });
}, 600_000);
