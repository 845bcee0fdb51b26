import sharp from 'sharp';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { joins, sendLogo } from '#test/support/people/console.ts';
import { person } from '#test/support/people/person.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const live = await harness.key({ environment: 'live' });
const owner = await joins(harness, url, { role: 'owner' });
const auditor = await joins(harness, url, { role: 'auditor' });
const { visitor } = owner;

const linkOf = async (): Promise<string> =>
  (await call(harness, 'POST', '/v1/verifications', { key: live.key, body: { method: 'document_only' } }))
    .json.verify_url;
const lines = async () =>
  (
    await harness.rows<{ data: { actor: object; changed: object[] } }>`
      select data from ledger where subject_id = ${live.organisationId} and type = 'organisation.changed'
      order by sequence`
  ).map(({ data }) => data);
const stored = async () =>
  (
    await harness.rows<Record<string, unknown>>`
      select organisations.*, encode(sha256, 'hex') as logo from organisations
      left join organisation_logos on org_id = id where id = ${live.organisationId}`
  )[0];

const drawn = () =>
  sharp({ create: { width: 300, height: 100, channels: 3, background: '#0a5c8a' } })
    .png()
    .toBuffer();

test('an owner sets texts, colour and logo, and the hosted page shows them at once', async () => {
  const shown = {
    ...{ purpose: 'To open your account', contact: 'help@shop.example', colour: '#0a5c8a' },
    ...{ privacyUrl: 'https://shop.example/privacy', returnUrl: '', offersOtherWay: 'false' },
    displayName: 'The Shop & Sons',
  };
  expect((await visitor.submit('/organisation', '/organisation/shown', shown)).location).toBe(
    '/organisation?notice=saved',
  );
  expect((await sendLogo(url, visitor, await drawn())).status).toBe(303);
  const { logo } = (await stored()) as { logo: string };
  const page = await person(harness, await linkOf()).look();
  for (const part of ['help@shop.example', `logos/${logo}.png`, 'accent-0a5c8a', 'The Shop &amp; Sons asks'])
    expect(page.text).toContain(part);
  expect(page.text).not.toContain('Acme');
  const { html } = await visitor.get('/organisation');
  expect(html).toContain(`src="/verify/logos/${logo}.png"`);
  expect((await fetch(`${url}/verify/logos/${logo}.png`)).headers.get('content-type')).toBe('image/png');
});

test('an owner chooses one language, and the hosted pages then have it alone, whatever is asked', async () => {
  const user = person(harness, await linkOf());
  const inEnglish = await user.look('?lang=en');
  expect([inEnglish.text.includes('<html lang="en"'), inEnglish.text.includes('hreflang="nl"')]).toEqual([
    true,
    true,
  ]);
  for (const [languages, asked] of [
    ['nl', 'en'],
    ['en', 'nl'],
  ] as const) {
    const { status } = await visitor.submit('/organisation', '/organisation/shown', { languages });
    expect([status, await stored()]).toEqual([303, expect.objectContaining({ languages })]);
    const { text } = await user.look(`?lang=${asked}`);
    expect(text).toContain(`<html lang="${languages}"`);
    expect(text).not.toContain('hreflang=');
  }
  const wrong = await visitor.submit('/organisation', '/organisation/shown', { languages: 'fy' });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('Choose one of the list.')]);
  await visitor.submit('/organisation', '/organisation/shown', { languages: 'nl,en' });
  expect((await user.look('?lang=nl')).text).toContain('hreflang="en"');
});

test('an owner says who decides and how long pictures are kept; each change is a line that names the member', async () => {
  const rules = {
    ...{ decisions: 'machine_may_decide', reviewEyes: '2', evidenceDays: '8' },
    ...{ coverPortrait: 'true', eraseByKey: 'true' },
  };
  const before = (await lines()).length;
  expect((await visitor.submit('/organisation', '/organisation/rules', rules)).status).toBe(303);
  expect(await stored()).toMatchObject({ decisions: 'machine_may_decide', evidence_days: 8, review_eyes: 2 });
  expect((await lines()).slice(before)).toEqual([
    expect.objectContaining({
      actor: { kind: 'member', id: owner.memberId },
      changed: expect.arrayContaining([{ setting: 'review_eyes', from: 1, to: 2 }]),
    }),
  ]);
});

test('what an owner fills in is stored as it was typed, and an empty field is no value', async () => {
  const shown = {
    ...{ purpose: 'To let you open an account', contact: 'help@shop.example' },
    ...{ privacyUrl: 'https://shop.example/privacy?lang=en', returnUrl: 'https://shop.example/back?order=7' },
    offersOtherWay: 'true',
  };
  const send = async (form: string, fields: Record<string, string>) =>
    expect((await visitor.submit('/organisation', `/organisation/${form}`, fields)).status).toBe(303);
  await send('shown', shown);
  expect(await stored()).toMatchObject({
    ...{ purpose: shown.purpose, contact: shown.contact, offers_other_way: true },
    ...{ privacy_url: shown.privacyUrl, return_url: shown.returnUrl },
  });
  const { html } = await visitor.get('/organisation');
  for (const value of [shown.purpose, shown.privacyUrl, shown.returnUrl])
    expect(html).toContain(`value="${value}"`);
  const read = (await auditor.visitor.get('/organisation')).html;
  for (const value of [shown.purpose, shown.privacyUrl, shown.returnUrl])
    expect(read).toContain(`<dd>${value}</dd>`);
  for (const eraseByKey of ['false', 'true']) {
    await send('rules', { decisions: 'people', reviewEyes: '1', evidenceDays: '21', eraseByKey });
    expect(await stored()).toMatchObject({ erase_by_key: eraseByKey === 'true' });
  }
  await send('shown', { ...shown, purpose: '', privacyUrl: '', returnUrl: ' ' });
  expect(await stored()).toMatchObject({ purpose: null, privacy_url: null, return_url: null });
});

test('a wrong value is shown again with its fault, and nothing of the form is saved', async () => {
  const before = await stored();
  const wrong = await visitor.submit('/organisation', '/organisation/shown', {
    ...{ purpose: 'Another purpose', privacyUrl: 'http://shop.example/"><b>', colour: 'red' },
  });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('Give an https address.');
  expect(wrong.html).toContain('Give a colour such as #0a5c8a.');
  expect(wrong.html).toContain('value="Another purpose"');
  expect(wrong.html).not.toContain('"><b>');
  const short = { decisions: 'machine_may_decide', evidenceDays: '6' };
  const tooShort = await visitor.submit('/organisation', '/organisation/rules', short);
  expect([tooShort.status, tooShort.html]).toEqual([422, expect.stringContaining('from 7 to 365')]);
  expect(await stored()).toEqual(before);
});

test('a picture that is none, or too large, is named; without its token, or of another member, nothing happens', async () => {
  const before = await stored();
  for (const [bytes, said] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'The logo must be a PNG, JPEG or WebP.'],
    [Buffer.alloc(2 * 1024 * 1024 + 1), 'Choose a picture of at most 2 MB.'],
    [Buffer.alloc(0), 'Choose a picture of at most 2 MB.'],
  ] as const) {
    const { status, html } = await sendLogo(url, visitor, bytes);
    expect([status, html]).toEqual([422, expect.stringContaining(said)]);
  }
  expect((await sendLogo(url, visitor, await drawn(), { token: 'forged' })).status).toBe(403);
  expect((await sendLogo(url, auditor.visitor, await drawn())).status).toBe(403);
  expect(await stored()).toEqual(before);
});

test('an auditor reads everything and finds no form', async () => {
  const { status, html } = await auditor.visitor.get('/organisation');
  expect(status).toBe(200);
  expect(html).toContain('Only an owner can change this.');
  expect(html).toContain('help@shop.example');
  expect(html).not.toContain('action="/organisation');
});

test('nobody but the operator ends a pause', async () => {
  await harness.settings({ paused: true });
  const sent = { purpose: 'x', paused: 'false' };
  expect((await visitor.submit('/organisation', '/organisation/shown', sent)).status).toBe(303);
  expect(await stored()).toMatchObject({ paused: true });
  expect((await visitor.get('/organisation')).html).toContain('has paused your organisation');
});
