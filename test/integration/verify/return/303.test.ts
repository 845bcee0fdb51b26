import { expect, test } from 'vitest';
import { returnTo } from '#policy/organisation-settings.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { storedOf } from '../stored.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key({ org: 'Told' });
const { key: live } = await harness.key({ org: 'Told', environment: 'live' });
const { key: silent } = await harness.key({ org: 'Silent' });
await harness.settings({ returnUrl: 'https://told.example/account?from=check#top' }, 'Told');

const created = async (withKey = key) => {
  const body = {
    method: 'document_only',
    reference: 'customer 7',
    ...(withKey !== live && { sandbox: { auto_complete: false } }),
  };
  return (await call(harness, 'POST', '/v1/verifications', { key: withKey, body })).json;
};

test('the last page leads back to the organisation, with the id of the verification and nothing else', async () => {
  const { id, verify_url } = await created();
  await storedOf(harness).expire(id);
  const { text } = await person(harness, verify_url).look();
  expect(text).toContain('Back to Told');
  const [, href = ''] = /<a class="button" href="([^"]+)"/.exec(text) ?? [];
  const way = new URL(href.replaceAll('&amp;', '&'), verify_url);
  const { status, headers } = await call(harness, 'GET', way.pathname + way.search);
  expect(status).toBe(303);
  expect(headers.location).toBe(`https://told.example/account?from=check&verification_id=${id}#top`);
  expect(headers['referrer-policy']).toBe('no-referrer');
});

test('without an address there is no button, and the way back is the page', async () => {
  const { id, verify_url } = await created(silent);
  await storedOf(harness).expire(id);
  const user = person(harness, verify_url);
  expect((await user.look()).text).not.toContain('Back to');
  const { status, headers } = await call(harness, 'GET', `${user.path}/return?lang=en`);
  expect(status).toBe(303);
  expect(String(headers.location)).toMatch(/^\.\.\/[\w-]+\?lang=en$/);
});

test('an address of this machine counts in sandbox alone', async () => {
  const local = 'http://localhost:4000/done';
  expect(returnTo(local, { id: 'x', environment: 'sandbox' })).toBe(`${local}?verification_id=x`);
  expect(returnTo(local, { id: 'x', environment: 'live' })).toBeNull();
});

test('an id that the address already has is replaced, so nobody else’s id travels', () => {
  expect(returnTo('https://a.example/?verification_id=other', { id: 'x', environment: 'live' })).toBe(
    'https://a.example/?verification_id=x',
  );
});
