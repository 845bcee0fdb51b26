import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { eventually, signatureBy, signaturesOf, startPartner } from '#test/support/people/partner.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { zoneOfAnotherDay } from '#test/support/zone-of-another-day.ts';

const harness = await startHarness();
const { url } = await harness.startConsole();
/** The receiver refuses everything, says why, and repeats a value of the event. */
const partner = await startPartner(harness, { org: 'Acme' }, (_, { body }) => ({
  status: 500,
  body: `no <b>room</b>\u0007 for ${JSON.parse(body.toString()).data.reference}`,
}));
const developer = await joins(harness, url, { role: 'developer' });
const auditor = await joins(harness, url, { role: 'auditor' });

const page = async (path: string, who = developer) => (await who.visitor.get(path)).html;
const idsIn = (html: string) =>
  [...html.matchAll(/href="\/deliveries\/([\da-f-]{36})"/g)].map(([, id = '']) => id);
const failedOnce = async (reference: string): Promise<string> => {
  const { json } = await partner.ask('POST', '/verifications', { reference });
  const found = async () =>
    harness.rows<{ id: string }>`
      select deliveries.id from deliveries join events on events.id = event_id
      where verification_id = ${json.id} and deliveries.status = 'retrying'`;
  await eventually(async () => (await found()).length).toBe(1);
  return (await found())[0]?.id ?? '';
};

test('an organisation without endpoints is told what to do', async () => {
  const newcomer = await joins(harness, url, { org: 'Empty', role: 'developer' });
  expect(await page('/webhooks', newcomer)).toContain('There are no endpoints yet');
});

test('the pages say how healthy an endpoint is, and why an attempt failed', async () => {
  const id = await failedOnce('customer 51');
  const list = await page('/webhooks');
  expect(list).toContain(partner.endpoint.url);
  expect(list).toMatch(/failing: \d+ attempts? in a row/);
  const one = await page(partner.path);
  expect(one).toContain('0.0 % (0 of ');
  expect(one).toMatch(/Half of the attempts took at most<\/dt><dd>\d+ ms/);
  expect(one).toContain('the receiver answered with an error (500)');
  expect(idsIn(one)).toContain(id);
  const delivery = await page(`/deliveries/${id}`);
  expect(delivery).toContain('Attempt 1');
  expect(delivery).toContain('&quot;reference&quot;:&quot;customer 51&quot;');
  expect(delivery).toContain('x-service-event'.replace(/(^|-)./g, (each) => each.toUpperCase()));
  expect(delivery).toContain('no &lt;b>room&lt;/b>\u{FFFD} for customer 51');
  expect(delivery).not.toMatch(/v1=[\da-f]{9}/);
});

test('the page of an endpoint counts how many attempts succeeded and how long they took, and says what failed last', async () => {
  const mixed = await startPartner(harness, {
    org: 'Acme',
    endpoint: { event_types: ['verification.reviewed'] },
  });
  const { id } = mixed.endpoint;
  const at = (n: number) => new Date(Date.UTC(2026, 5, 1, 12, 0, n));
  // A hundred attempts took from 1 to 100 ms. Every fourth failed, the last of them by a timeout.
  for (let n = 1; n <= 100; n++) {
    const [outcome, reason, status] =
      n % 4 !== 0
        ? ['delivered', null, 200]
        : n === 100
          ? ['failed', 'timed_out', null]
          : ['failed', 'http_status', 503];
    await harness.rows`
      with made as (
        insert into deliveries (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed, created_at)
        select gen_random_uuid(), org_id, environment, event_id, ${id}, 'resend', 'failed', 1, ${at(n)} from deliveries
        where org_id = ${partner.organisationId} limit 1
        returning id)
      insert into delivery_attempts (delivery_id, number, started_at, duration_ms, outcome, reason, response_status)
      select id, 1, ${at(n)}::timestamptz, ${n}::int, ${outcome}::text, ${reason}::text, ${status}::int from made`;
  }
  const html = await page(mixed.path);
  expect(html).toContain('<dt>Attempts that succeeded</dt><dd>75.0 % (75 of 100)</dd>');
  expect(html).toContain('<dt>Half of the attempts took at most</dt><dd>50 ms</dd>');
  expect(html).toContain('<dt>99 of 100 attempts took at most</dt><dd>99 ms</dd>');
  const [, last = ''] = /<dt>Last failure<\/dt><dd>(.*?)<\/dd>/s.exec(html) ?? [];
  expect(last).toContain('did not answer');
  expect(last).toContain(`datetime="${at(100).toISOString()}"`);
  const auditors = await page(mixed.path, auditor);
  expect(auditors).toContain('75.0 % (75 of 100)');
});

test('an auditor reads the attempts, and neither bodies nor answers', async () => {
  const id = await failedOnce('customer 52');
  const delivery = await page(`/deliveries/${id}`, auditor);
  expect(delivery).toContain('the receiver answered with an error (500)');
  expect(delivery).toContain('Your role does not see');
  expect(delivery).not.toContain('customer 52');
  expect(await page(partner.path, auditor)).toContain(id);
});

test('deliveries are narrowed by status and day, and a wrong day is shown again', async () => {
  const id = await failedOnce('customer 53');
  const { timeZone, today, todayInUtc } = zoneOfAnotherDay();
  const preferences = { language: 'en', time_zone: timeZone };
  await developer.visitor.submit('/account', '/account/preferences', preferences);
  const on = (day: string) => page(`${partner.path}?status=retrying&from=${day}&until=${day}`);
  expect(idsIn(await on(today))).toContain(id);
  expect(await on(todayInUtc)).toContain('No delivery matches');
  expect(await on(today)).toContain(`<small id="from-hint">Time zone: ${timeZone.replace('_', ' ')}</small>`);
  expect(idsIn(await page(`${partner.path}?status=delivered`))).toEqual([]);
  expect(await page(`${partner.path}?until=2020-01-01`)).toContain('No delivery matches');
  const wrong = await developer.visitor.get(`${partner.path}?from=yesterday`);
  expect([wrong.status, wrong.html.includes('Give a date such as')]).toEqual([422, true]);
  expect(wrong.html).toContain('value="yesterday"');
  expect((await developer.visitor.get(`${partner.path}?after=nothing&status=lost`)).status).toBe(200);
});

test('pages lead on to older deliveries with the same choice', async () => {
  await harness.rows`
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed, created_at)
    select gen_random_uuid(), org_id, environment, event_id, endpoint_id, 'resend', 'failed', 1, now() - n * interval '1 minute'
    from (select * from deliveries where endpoint_id = ${partner.endpoint.id} limit 1) as one, generate_series(1, 51) as n`;
  const first = await page(`${partner.path}?status=failed`);
  expect(idsIn(first)).toHaveLength(50);
  const older = /href="(\/webhooks\/[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = idsIn(await page(older.replace('#deliveries', '')));
  expect(second).toHaveLength(1);
  expect(idsIn(first)).not.toContain(second[0]);
});

const add = (fields: Record<string, string | string[]>) =>
  developer.visitor.submit('/webhooks/new', '/webhooks/new', fields);
const secretIn = (html: string) => /whsec_[\w-]+/.exec(html)?.[0] ?? '';
const linesOf = (id: string) =>
  harness.rows<{ type: string; actor: object }>`
    select type, data -> 'actor' as actor from ledger where subject_id = ${id} order by sequence`;
const byDeveloper = { kind: 'member', id: developer.memberId };

test('an endpoint is added, its secret is shown once and signs; a new one replaces it, and the lines name the member', async () => {
  const receiver = await startReceiver({ status: 200 });
  const added = await add({
    ...{ url: receiver.url, description: 'billing', environment: 'sandbox' },
    event_types: ['verification.completed', 'verification.reviewed'],
  });
  const secret = secretIn(added.html);
  const id = /href="\/webhooks\/([\da-f-]{36})"/.exec(added.html)?.[1] ?? '';
  const path = `/webhooks/${id}`;
  expect(added.headers.get('cache-control')).toBe('no-store');
  for (const seen of ['/webhooks', path]) expect(await page(seen)).not.toContain(secret);
  const order = (name: string, fields = {}) => developer.visitor.submit(path, `${path}/${name}`, fields);

  const tested = await order('test');
  expect(tested.location).toMatch(/^\/deliveries\/[\da-f-]{36}\?notice=test_sent$/);
  const [first] = await receiver.waitFor(1);
  expect(first && signaturesOf(first)).toEqual([first && signatureBy(secret, first)]);
  await eventually(() => page(tested.location ?? '')).toContain('Delivered: the receiver answered 200.');

  const fresh = secretIn((await order('rotate', { overlap: '1' })).html);
  expect(fresh).not.toBe(secret);
  expect(await page(path)).toContain('The old secret also signs until');
  expect((await order('rotate', { overlap: '5' })).status).toBe(422);
  const resent = await developer.visitor.submit(
    (tested.location ?? '').replace('?notice=test_sent', ''),
    (tested.location ?? '').replace('?notice=test_sent', '/resend'),
  );
  expect(resent.location).toMatch(/^\/deliveries\/[\da-f-]{36}\?notice=resent$/);
  const [, again] = await receiver.waitFor(2);
  expect(again?.body).toEqual(first?.body);
  expect(again && signaturesOf(again)).toEqual(
    again && [signatureBy(fresh, again), signatureBy(secret, again)],
  );

  expect((await order('delete', { sure: 'yes' })).location).toBe(`${path}?notice=endpoint_deleted`);
  expect(await page(path)).not.toContain('/delete"');
  const refused = await order('test');
  expect([refused.status, refused.html.includes('Nothing was changed')]).toEqual([409, true]);
  expect(await linesOf(id)).toEqual([
    ...[{ type: 'webhook.created', actor: byDeveloper }],
    ...[{ type: 'webhook.tested', actor: byDeveloper }],
    ...[{ type: 'webhook.secret_rotated', actor: byDeveloper }],
    ...[{ type: 'webhook.resent', actor: byDeveloper }],
    ...[{ type: 'webhook.deactivated', actor: byDeveloper }],
  ]);
});

test('each faulty field is shown again with its fault beside it, and no endpoint is added', async () => {
  const count = async () => (await harness.rows`select 1 from webhook_endpoints`).length;
  const before = await count();
  const faulty = await add({ url: 'http://x', description: 'd'.repeat(201), environment: 'moon' });
  expect(faulty.status).toBe(422);
  for (const field of ['description', 'event_types', 'environment'])
    expect(faulty.html).toContain(`id="${field}-fault"`);
  const inside = { event_types: 'verification.completed', environment: 'all' };
  for (const address of [
    'http://hooks.example.com',
    'https://10.0.0.1/',
    'https://user@hooks.example.com/',
  ]) {
    const { status, html } = await add({ ...inside, url: address });
    expect([address, status, html.includes('id="url-fault"')]).toEqual([address, 422, true]);
    expect(html).toContain(`value="${address}"`);
  }
  expect(await count()).toBe(before);
});
