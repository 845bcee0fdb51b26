import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { startPartner } from '../../support/people/partner.ts';
import { look, startConsoleInBrowser } from './console.ts';
import { fillUsage } from './fill-usage.ts';

const harness = await startHarness({ retryWaitsMs: [] });
const { signedIn, url } = await startConsoleInBrowser(harness);

test('a developer finds why a delivery failed, and sends the failed ones of the day again', async () => {
  const state = { isMended: false };
  const headers = {
    ...{ server: 'hooks/4', 'x-request-id': 'r'.repeat(300), 'set-cookie': 'session=secret-of-the-receiver' },
    ['x'.repeat(64)]: 'x',
  };
  const reply = () =>
    state.isMended ? { status: 200 } : { status: 500, headers, body: 'Disk full: order-7 was not stored' };
  const partner = await startPartner(harness, { org: 'Verzekeraar' }, reply);
  for (const reference of ['order-7', 'order-8', 'order-9'])
    await partner.ask('POST', '/verifications', { reference });
  const failed = async () => (await partner.deliveries('?status=failed')).length;
  await expect.poll(failed, { timeout: 60_000 }).toBe(3);

  const { page, surprises } = await signedIn({ org: 'Verzekeraar', role: 'developer' });
  await page.click('nav a[href="/webhooks"]');
  await look(page, 'console-webhooks');
  await page.click(`a[href="${partner.path}"]`);
  expect(await page.textContent('main')).toContain('the receiver answered with an error (500)');
  await look(page, 'console-webhook');
  await page.click('main table a[href^="/deliveries/"]');
  expect(await page.textContent('main')).toContain('Disk full: order-7 was not stored');
  await look(page, 'console-delivery');
  const signature = page.locator('dt:text-is("X-Service-Signature") + dd');
  expect(await signature.isVisible()).toBe(false);
  await page.click('main details summary');
  expect(await signature.textContent()).toMatch(/^t=\d{10},v1=[\da-f]{8}…$/);
  const desk = page.viewportSize();
  for (const lang of ['en', 'nl']) {
    await harness.rows`update members set language = ${lang}`;
    await page.reload();
    expect(await page.getAttribute('html', 'lang')).toBe(lang);
    await page.click('main details summary');
    expect(await page.locator('dt:text-is("server") + dd').textContent()).toBe('hooks/4');
    expect(await page.textContent('main')).not.toContain('secret-of-the-receiver');
    await look(page, `console-delivery-headers-${lang}`);
    await page.setViewportSize({ width: 360, height: 740 });
    await look(page, `console-phone-delivery-headers-${lang}`);
    await page.setViewportSize(desk ?? { width: 1280, height: 720 });
  }
  await harness.rows`update members set language = 'en'`;
  expect(surprises).toEqual([]);

  state.isMended = true;
  await page.goto(url + partner.path);
  await page.click(`form[action="${partner.path}/resend-failed"] button`);
  await page.waitForURL('**?notice=resends_ordered');
  const progress = async () => {
    await page.goto(url + partner.path);
    return page.textContent('main');
  };
  await expect.poll(progress, { timeout: 60_000 }).toContain('3 of 3 queued again');
  await look(page, 'console-webhook-resent');
  const delivered = async () => (await partner.deliveries('?status=delivered')).length;
  await expect.poll(delivered, { timeout: 60_000 }).toBe(3);

  await page.click('nav a[href="/requests"]');
  await page.selectOption('#status', '2');
  await page.fill('#path', 'verifications');
  await page.click('form[action="/requests"] button');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  await look(page, 'console-requests');
  await fillUsage(harness, partner.organisationId);
  await page.click('nav a[href="/usage"]');
  expect(await page.textContent('main')).toContain('Sandbox is free');
  await look(page, 'console-usage');
}, 300_000);

test('the pages of webhooks are accessible on a phone in the dark, also without an endpoint and with faults', async () => {
  const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };
  const { page } = await signedIn({ org: 'Nieuw', role: 'developer' }, phone);
  await page.goto(`${url}/webhooks`);
  await look(page, 'phone-webhooks-empty');
  await page.click('main a[role=button]');
  await page.fill('#url', 'https://10.0.0.1/');
  await page.click('form[action="/webhooks/new"] button');
  await page.waitForSelector('#url-fault');
  await look(page, 'phone-webhook-fault');
  await page.fill('#url', 'https://127.0.0.1:1025/hooks');
  await page.click('form[action="/webhooks/new"] button');
  await page.waitForSelector('[data-secret]');
  await look(page, 'phone-webhook-secret');
  await page.click('main a[role=button]');
  await page.waitForSelector('form[action$="/test"]');
  await look(page, 'phone-webhook');
}, 300_000);
