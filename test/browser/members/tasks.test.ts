import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { startPartner } from '../../support/people/partner.ts';
import { look, startConsoleInBrowser } from './console.ts';

/**
 * What members do every day, counted in clicks from the page where they begin. `review-by-hand.test.ts` counts what a reviewer does for one
 * case.
 */

const harness = await startHarness();
const { signedIn, url } = await startConsoleInBrowser(harness);
const partner = await startPartner(harness, { environment: 'sandbox' }, { status: 503 });
const desk = { viewport: { width: 1280, height: 800 } };

/** Clicks, and counts. */
function counting(page: Page) {
  let clicks = 0;
  const begunAt = performance.now();
  return {
    async click(selector: string, leadsTo: RegExp) {
      clicks += 1;
      await Promise.all([page.waitForURL(leadsTo), page.click(selector)]);
    },
    soFar: () => ({ clicks, seconds: Math.round((performance.now() - begunAt) / 100) / 10 }),
  };
}

test('a verification is found by a part of its reference with one click, whichever environment it is in', async () => {
  const { json } = await partner.ask('POST', '/verifications', { reference: 'order 4711' });
  const { page, surprises } = await signedIn({ org: partner.org, role: 'developer' }, desk);
  await page.goto(`${url}/`);
  const { click, soFar } = counting(page);
  await click('nav a[href="/verifications"]', /\/verifications$/);
  await page.waitForSelector('#text:focus');
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await page.waitForURL(/environment=sandbox/);
  expect(await page.getAttribute('tbody a', 'href')).toBe(`/verifications/${json.id}`);
  expect(soFar()).toMatchObject({ clicks: 1 });
  console.log('find a verification by a part of its reference', soFar());
  expect(surprises).toEqual([]);
});

test('why an event failed is answered with two clicks: request, answer, next attempt, and the button to send again', async () => {
  const { json } = await partner.ask('POST', '/verifications', { reference: 'order 4712' });
  const failedOnce = () => harness.rows`
    select 1 from delivery_attempts where outcome = 'failed'
      and delivery_id in (select d.id from deliveries d join events e on e.id = d.event_id where e.verification_id = ${json.id})`;
  await expect.poll(failedOnce).toHaveLength(1);
  const { page, surprises } = await signedIn({ org: partner.org, role: 'developer' }, desk);
  await page.goto(`${url}/verifications?environment=sandbox&text=order+4712`);
  const { click, soFar } = counting(page);
  await click('tbody a', /\/verifications\/[\da-f-]+$/);
  const deliveries = page.locator('[role=region][aria-label=Deliveries] tbody tr');
  expect(await deliveries.textContent()).toMatch(/503/);
  expect(await deliveries.textContent()).toContain(partner.receiver.url);
  await look(page, 'tasks-verification');
  await click('a[href^="/deliveries/"]', /\/deliveries\//);
  const main = await page.textContent('main');
  for (const part of ['503', 'Next attempt', 'X-Service-Signature', json.id])
    expect(main?.toLowerCase()).toContain(part.toLowerCase());
  expect(await page.locator('form[action$="/resend"] button').count()).toBe(1);
  expect(soFar()).toMatchObject({ clicks: 2 });
  console.log('why an event failed', soFar());
  await look(page, 'tasks-delivery');
  expect(surprises).toEqual([]);
});
