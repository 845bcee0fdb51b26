import { describe, expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { limits } from '#contract/limits.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

const expired: DocumentReader = {
  check: async () => ({
    read: null,
    checks: [{ kind: 'document_expiry', result: 'failed', confidence: 0.99 }],
  }),
  close: async () => undefined,
};
const harness = await startHarness({ documents: expired });
const contact = 'privacy@told.example, 020 555 00 00';
const { key } = await harness.key({ org: 'Told', environment: 'live' });
await harness.settings(
  { purpose: 'to open your <account>', contact, privacyUrl: 'https://told.example/privacy?a=1&b=2' },
  'Told',
);
const { key: silent } = await harness.key({ org: 'Silent', environment: 'live' });

const linkOf = async (withKey: string, method: string) =>
  (await call(harness, 'POST', '/v1/verifications', { key: withKey, body: { method } })).json;
const welcome = async (withKey: string, method = 'document_liveness', language = 'en') =>
  (await person(harness, (await linkOf(withKey, method)).verify_url, language).look()).text;

describe('before the consent', () => {
  test('the page says who asks and why, whom to ask, and links the privacy statement', async () => {
    const text = await welcome(key);
    const [before = ''] = text.split('name="consent"');
    expect(before).toContain('Told asks you to prove your identity.');
    expect(before).toContain('to open your &lt;account>');
    expect(before).toContain(contact);
    expect(before).toContain('href="https://told.example/privacy?a=1&amp;b=2"');
    expect(before).toContain('Privacy statement of Told');
  });

  test.each([
    ['en', '30 days', '5 years', `${limits.abandonedRetentionDays} days`, 'object'],
    ['nl', '30 dagen', '5 jaar', `${limits.abandonedRetentionDays} dagen`, 'bezwaar'],
  ])(
    'in %s it says what is kept how long, who decides, and which rights there are',
    async (language, ...parts) => {
      const [before = ''] = (await welcome(key, 'document_only', language)).split('name="consent"');
      for (const part of parts) expect(before).toContain(part);
      expect(before).toContain('Autoriteit Persoonsgegevens');
    },
  );

  test.each([
    ['en', '12 days', '30 days'],
    ['nl', '12 dagen', '30 dagen'],
  ])(
    'in %s it says how long this organisation keeps pictures, if it is not the default',
    async (language, own, usual) => {
      await harness.settings({ evidenceDays: 12 }, 'Told');
      const [before = ''] = (await welcome(key, 'document_only', language)).split('name="consent"');
      await harness.settings({ evidenceDays: 30 }, 'Told');
      expect(before).toContain(own);
      expect(before).not.toContain(usual);
    },
  );

  test('it says what a computer may decide, by the setting of the organisation', async () => {
    expect(await welcome(key)).toContain('A person decides for Told. A computer does not.');
    await harness.settings({ decisions: 'machine_may_reject' }, 'Told');
    expect(await welcome(key)).toContain('A computer may reject your document');
    await harness.settings({ decisions: 'machine_may_decide' }, 'Told');
    expect(await welcome(key)).toContain('A computer may decide about your document');
    await harness.settings({ decisions: 'people' }, 'Told');
  });

  test.each([
    ['en', 'your citizen service number (BSN) is covered on the copy', 'is covered too', 'stays on the copy'],
    ['nl', 'uw burgerservicenummer (BSN) op de kopie afgedekt', 'ook afgedekt', 'blijft op de kopie staan'],
  ])('in %s it says that the BSN is covered, and what becomes of the photo', async (language, ...parts) => {
    const [bsn, covered, stays] = parts as [string, string, string];
    const page = () => welcome(key, 'document_only', language);
    const [before = ''] = (await page()).split('name="consent"');
    for (const part of [bsn, covered]) expect(before).toContain(part);
    expect(before).not.toContain(stays);
    await harness.settings({ coverPortrait: false }, 'Told');
    expect(await page()).toContain(stays);
    await harness.settings({ coverPortrait: true }, 'Told');
    const { key: sandbox } = await harness.key({ org: 'Told' });
    const body = { method: 'document_only', sandbox: { auto_complete: false } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key: sandbox, body });
    expect((await person(harness, json.verify_url, language).look()).text).not.toContain('BSN');
  });

  test('an organisation that has set nothing still has a page that reads well', async () => {
    const text = await welcome(silent);
    expect(text).toContain('Silent asks you to prove your identity.');
    expect(text).not.toMatch(/<dl|null|undefined|Why|Contact/);
  });
});

describe('after the verdict', () => {
  const finished = async (withKey: string) => {
    const { id, verify_url } = await linkOf(withKey, 'document_only');
    const user = person(harness, verify_url);
    await user.start();
    await user.upload('passport_page', await anyPicture());
    await user.submit();
    const read = async () => (await call(harness, 'GET', `/v1/verifications/${id}`, { key: withKey })).json;
    await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('completed');
    return { outcome: (await read()).verdict.outcome, text: (await user.look()).text };
  };

  test('whoever was rejected by a machine is told so, and how to ask for a person', async () => {
    await harness.settings({ decisions: 'machine_may_reject' }, 'Told');
    await harness.settings({ decisions: 'machine_may_reject' }, 'Silent');
    const { outcome, text } = await finished(key);
    expect(outcome).toBe('rejected');
    expect(text).toContain('Rejected by a computer');
    expect(text).toContain('No person has looked at it.');
    expect(text).toContain('You can ask Told that a person looks at it');
    expect(text).toContain(`Contact: ${contact}`);
    const withoutContact = await finished(silent);
    expect(withoutContact.text).toContain('You can ask Silent that a person looks at it');
    expect(withoutContact.text).not.toMatch(/Contact:|null/);
    await harness.settings({ decisions: 'people' }, 'Told');
  });

  test('if people decide, the page tells no outcome', async () => {
    const { outcome, text } = await finished(key);
    expect(outcome).toBe('review');
    expect(text).toContain('Everything is complete.');
    expect(text).not.toMatch(/computer|reject|review/i);
  });

  test('in sandbox, the page of scenario rejected is the one that a rejected person sees in live', async () => {
    const { key: sandbox } = await harness.key({ org: 'Told', environment: 'sandbox' });
    const ended = async (scenario: string) => {
      const body = { method: 'document_only', sandbox: { scenario } };
      const { json } = await call(harness, 'POST', '/v1/verifications', { key: sandbox, body });
      return (await person(harness, json.verify_url).look()).text;
    };
    expect(await ended('rejected')).toContain('Rejected by a computer');
    for (const scenario of ['approved', 'review'])
      expect(await ended(scenario)).toContain('Everything is complete.');
  });
});

describe('whom to ask afterwards', () => {
  /** What the page says above its footer, which names the contact on every page. */
  const mainOf = (text: string) => /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '';
  const names = (text: string) => {
    const main = mainOf(text);
    expect(main).toContain(contact);
    expect(main).toContain('href="https://told.example/privacy?a=1&amp;b=2"');
    return main;
  };
  const started = async (withKey: string, language = 'en') => {
    const { id, verify_url } = await linkOf(withKey, 'document_only');
    const user = person(harness, verify_url, language);
    await user.start();
    return { id: id as string, user };
  };

  test.each([
    ['en', 'You have stopped', 'Privacy statement of Told'],
    ['nl', 'U bent gestopt', 'Privacyverklaring van Told'],
  ])('is on the page of a person who stopped, in %s', async (language, title, statement) => {
    const { user } = await started(key, language);
    const main = names((await user.press('withdraw')).text);
    expect(main).toContain(title);
    expect(main).toContain(statement);
  });

  test('is on the page of a verification that the organisation cancelled', async () => {
    const { id, user } = await started(key);
    await call(harness, 'POST', `/v1/verifications/${id}/cancel`, { key });
    expect(names((await user.look()).text)).toContain('This request was cancelled');
  });

  test('is on the page of a verification that is complete', async () => {
    const { user } = await started(key);
    await user.upload('passport_page', await anyPicture());
    await user.submit();
    const main = () => user.look().then(({ text }) => mainOf(text));
    await expect.poll(main, { timeout: 60_000 }).toContain('Everything is complete.');
    names(await main());
  });

  test('is the name alone if the organisation has set nothing', async () => {
    const { user } = await started(silent);
    const main = mainOf((await user.press('withdraw')).text);
    expect(main).toContain('ask Silent');
    expect(main).not.toMatch(/Contact:|Privacy statement|null|undefined/);
  });
});
