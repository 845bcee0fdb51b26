import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { simulatedBanks } from '../../support/people/idin.ts';
import { startPartner } from '../../support/people/partner.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { consent, heading, press } from '../person.ts';
import { keepPicture } from '../screenshots.ts';

const { banks, agree, simulator } = await simulatedBanks();
const harness = await startHarness({ banks, simulator });
const partners = {
  live: await startPartner(harness, { org: 'Acme', environment: 'live' }),
  sandbox: await startPartner(harness, { org: 'Acme', environment: 'sandbox' }),
};
type Environment = keyof typeof partners;
await agree(harness.ctx, 'Acme');
const visit = browserOfFile(harness);
const bankName = 'Simulated Bank A';
const longWait = { timeout: 60_000 };

async function started(
  language: PageLanguage,
  options: BrowserContextOptions,
  environment: Environment = 'live',
) {
  const { key } = partners[environment];
  const body = { method: 'idin', ...(environment === 'sandbox' && { sandbox: { auto_complete: false } }) };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const path = `${new URL(json.verify_url).pathname}?lang=${language}`;
  const { page, surprises } = await visit(path, options);
  const returns: string[] = [];
  // The bank sends the person back to the public address, which here is that of the harness.
  await page.context().route('**/bank/*', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    const to = answer.headers().location;
    if (to === undefined) return route.fulfill({ response: answer });
    const { pathname, search } = new URL(to);
    returns.push(harness.url + pathname + search);
    return route.fulfill({ status: 303, headers: { location: harness.url + pathname + search } });
  });
  await consent(page);
  await press(page, 'start');
  return { page, surprises, id: json.id as string, url: harness.url + path, returns };
}

/** Chooses the bank, follows the link to it, and presses a button there. */
async function atBank(
  page: Page,
  language: PageLanguage,
  choice: 'success' | 'cancel' | 'expire',
  { hasScripts = true, pictured }: { hasScripts?: boolean; pictured?: string } = {},
): Promise<void> {
  const { bank } = pageTexts[language];
  await page.locator('button.choice').first().click();
  const link = page.locator('main a.button[href*="/bank/"]');
  await expect.poll(() => reloadedUntil(page, link), longWait).toBe(1);
  expect(await heading(page)).toBe(bank.goTitle(bankName));
  if (hasScripts) await expectAccessible(page);
  if (pictured) await keepPicture(page, `bank-go-${pictured}`);
  await link.click();
  // The page of the bank has one appearance.
  if (pictured) await keepPicture(page, `bank-simulated-${pictured.replace('-dark', '')}`);
  await page.click(`button[value=${choice}]`);
}

/** A page without scripts goes on when it is loaded again. */
async function reloadedUntil(page: Page, link: ReturnType<Page['locator']>): Promise<number> {
  const count = await link.count();
  if (count === 0 && (await page.locator('noscript a').isVisible())) await page.reload();
  return count;
}

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const walks: [Environment, PageLanguage, BrowserContextOptions, string][] = [
  ['live', 'nl', { ...phone, colorScheme: 'dark' }, 'phone-dark'],
  ['sandbox', 'en', { viewport: { width: 1200, height: 800 } }, 'desk'],
];

/** The webhook of the verification, as the partner got it. */
const eventOf = (environment: Environment, id: string) =>
  vi.waitFor(() => {
    const { received } = partners[environment].receiver;
    const events = received.map(({ body }) => JSON.parse(String(body)));
    return events.find(({ data }) => data.verification_id === id) ?? expect.unreachable('no event yet');
  }, longWait);

test.each(walks)(
  'in %s, a person stops at the bank, is too late there, chooses again and confirms; the webhook says approved',
  async (environment, language, device, pictured) => {
    const { bank, done } = pageTexts[language];
    const { page, surprises, id } = await started(language, device, environment);
    expect(await heading(page)).toBe(bank.which);
    await expectAccessible(page);
    await keepPicture(page, `bank-choice-${pictured}`);
    await atBank(page, language, 'cancel', { pictured });
    await expect.poll(() => page.textContent('main'), longWait).toContain(bank.ends.cancelled);
    await expectAccessible(page);
    await keepPicture(page, `bank-cancelled-${pictured}`);
    await atBank(page, language, 'expire');
    await expect.poll(() => page.textContent('main'), longWait).toContain(bank.ends.expired);
    await atBank(page, language, 'success');
    await expect.poll(() => heading(page), longWait).toBe(done.title);
    await expectAccessible(page);
    const verdict = { outcome: 'approved', assurance_level: 'substantial' };
    expect((await eventOf(environment, id)).data).toMatchObject(verdict);
    const ofOthers = surprises.filter((each) => !/127\.0\.0\.1:\d+\/bank|verify\.partner-test/.test(each));
    expect(ofOthers).toEqual([]);
  },
  300_000,
);

test('while the bank gives no answer that can be used, the page waits and leads back to the bank', async () => {
  const { page, id } = await started('nl', phone);
  const { bank } = pageTexts.nl;
  await page.locator('button.choice').first().click();
  await page.locator('main a.button[href*="/bank/"]').click();
  await page.selectOption('#fault', 'http-500');
  await page.click('button[value=success]');
  await expect.poll(() => page.textContent('main'), longWait).toContain(bank.waiting(bankName));
  await expectAccessible(page);
  await keepPicture(page, 'bank-waiting-phone');
  expect(await page.locator('main a[href*="/bank/"]').textContent()).toBe(bank.goBack(bankName));
  expect(await harness.rows`select status from eid_transactions where verification_id = ${id}`).toEqual([
    { status: 'open' },
  ]);
});

test('in two tabs, a person has one visit and one verdict, and a replayed return leads to the last page', async () => {
  const { page, id, url, returns } = await started('en', {});
  const { bank, done } = pageTexts.en;
  await page.locator('button.choice').first().click();
  await expect.poll(() => heading(page), longWait).toBe(bank.goTitle(bankName));
  const other = await page.context().newPage();
  await other.goto(url);
  expect(await heading(other)).toBe(bank.goTitle(bankName));
  await other.locator('main a.button[href*="/bank/"]').click();
  await page.locator('main a.button[href*="/bank/"]').click();
  await page.click('button[value=success]');
  await expect.poll(() => heading(page), longWait).toBe(done.title);
  // The page of the bank in the other tab is old by now. What is pressed there comes too late.
  await other.click('button[value=cancel]');
  await expect.poll(() => heading(other), longWait).toBe(done.title);
  await page.goto(returns[0] ?? '');
  expect(await heading(page)).toBe(done.title);
  expect(await harness.rows`select status from eid_transactions where verification_id = ${id}`).toEqual([
    { status: 'success' },
  ]);
  expect((await eventOf('live', id)).data).toMatchObject({ outcome: 'approved' });
}, 300_000);

test('without scripts, a person confirms at the bank', async () => {
  const { page } = await started('en', { javaScriptEnabled: false });
  await atBank(page, 'en', 'success', { hasScripts: false });
  await expect
    .poll(
      async () => {
        await page.reload();
        return heading(page);
      },
      { timeout: 60_000 },
    )
    .toBe(pageTexts.en.done.title);
});
