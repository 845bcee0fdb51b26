import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { createsBecome } from '../../support/people/creates.ts';
import { startPartner } from '../../support/people/partner.ts';
import { look, startConsoleInBrowser } from './console.ts';

const harness = await startHarness();
const otherProcess = await harness.startApi();
const { signedIn, url } = await startConsoleInBrowser(harness);

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };

const press = (page: Page, action: string, notice: string) =>
  Promise.all([page.waitForURL(`**?notice=${notice}`), page.click(`form[action$="/${action}"] button`)]);

test('an operator pauses an organisation, and every process refuses its creates until it is resumed', async () => {
  const { key, organisationId } = await startPartner(harness, { org: 'Verzekeraar' });
  const creates = (answer: 'accepted' | 'organisation_paused') =>
    createsBecome([harness, otherProcess], { key }, answer);
  await creates('accepted');
  const { page, surprises } = await signedIn({ role: 'operator' });
  await look(page, 'operator-home');
  await page.click('nav a[href="/operator"]');
  await look(page, 'operator-overview');
  await page.click(`a[href="/operator/organisations/${organisationId}"]`);
  await look(page, 'operator-organisation');

  await page.check(`form[action="/operator/organisations/${organisationId}/pause"] input[name=sure]`);
  await press(page, `${organisationId}/pause`, 'organisation_paused');
  await creates('organisation_paused');
  await look(page, 'operator-organisation-paused');
  await press(page, `${organisationId}/resume`, 'organisation_resumed');
  await creates('accepted');
  expect(surprises).toEqual([]);
}, 300_000);

test('the pages are accessible on a phone in the dark, also without an organisation’s endpoint and with a fault', async () => {
  const { organisationId, endpoint } = await startPartner(harness, { org: 'Klein' });
  const { organisationId: empty } = await harness.key({ org: 'Leeg' });
  const { page } = await signedIn({ role: 'operator' }, phone);
  await page.goto(`${url}/operator`);
  await look(page, 'phone-operator');
  await page.goto(`${url}/operator?after=zzz`);
  await look(page, 'phone-operator-nothing');
  await page.goto(`${url}/operator/organisations/${empty}`);
  await look(page, 'phone-operator-empty');
  const place = `/operator/organisations/${organisationId}`;
  await page.goto(url + place);
  await page.click(`form[action$="/${organisationId}/pause"] button`);
  await page.waitForSelector('#sure-fault');
  await look(page, 'phone-operator-fault');
  await page.check(`form[action$="/${endpoint.id}/pause"] input[name=sure]`);
  await press(page, `${endpoint.id}/pause`, 'paused');
  await look(page, 'phone-operator-organisation');
  expect(await page.textContent('main')).toContain('paused by the operator');
}, 300_000);
