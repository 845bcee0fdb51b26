import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { startProxy } from '#test/support/servers/proxy.ts';
import { zoneOfAnotherDay } from '#test/support/zone-of-another-day.ts';

const harness = await startHarness();
const partner = await startPartner(harness, { org: 'Acme' });
const live = await harness.key({ environment: 'live' });
const { url } = await harness.startConsole();
const { visitor, email } = await joins(harness, url, { role: 'owner' });
const auditor = await joins(harness, url, { role: 'auditor' });

const createLive = async (reference: string) =>
  (
    await call(harness, 'POST', '/v1/verifications', {
      key: live.key,
      body: { method: 'document_only', reference },
    })
  ).json;
const get = async (id: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key: live.key })).json;
const idsIn = (html: string) =>
  [...html.matchAll(/href="\/verifications\/([\da-f-]{36})"/g)].map(([, id]) => id);
const search = async (query: string) => {
  const page = await visitor.get(`/verifications?${query}`);
  return { ...page, ids: idsIn(page.html) };
};

test('an organisation without verifications is told what to do', async () => {
  const { visitor: newOwner } = await joins(harness, url, { org: 'Empty', role: 'owner' });
  const { status, html } = await newOwner.get('/verifications');
  expect(status).toBe(200);
  expect(html).toContain('Create one with an API key');
});

test('the search finds by reference, id, state and day, in one environment', async () => {
  const { id } = await createLive('customer 17');
  const { json: sandboxed } = await partner.ask('POST', '/verifications', { reference: 'customer 18' });
  expect((await search('text=customer+17')).ids).toEqual([id]);
  expect((await search(`text=${id}&status=pending`)).ids).toEqual([id]);
  expect((await search(`text=${id}&status=completed`)).html).toContain('No verification matches');
  expect((await search('text=customer+18')).ids).toEqual([]);
  expect((await search('text=customer+18&environment=sandbox&outcome=approved')).ids).toEqual([sandboxed.id]);
  const { timeZone, today, todayInUtc } = zoneOfAnotherDay();
  const zone = timeZone.replace('_', ' ');
  const on = async (day: string) => (await search(`text=${id}&from=${day}&until=${day}`)).ids;
  await visitor.submit('/account', '/account/preferences', { language: 'en', time_zone: timeZone });
  expect([await on(today), await on(todayInUtc)]).toEqual([[id], []]);
  expect((await visitor.get('/verifications')).html).toContain(
    `<small id="until-hint">Time zone: ${zone}</small>`,
  );
  expect((await search(`text=${id}&until=2020-01-01`)).ids).toEqual([]);
});

test('a page that is a part of a search does not speak for the whole', async () => {
  const { id } = await createLive('customer 19');
  const { html } = await search(`text=customer+19&after=${id}`);
  expect(html).toContain('In this part of the search nothing matches');
  expect(html).not.toContain('No verification matches');
});

test('the search narrows by method', async () => {
  const text = 'text=of+a+method';
  const create = async (method: string) => {
    const body = { method, reference: 'of a method' };
    return (await call(harness, 'POST', '/v1/verifications', { key: live.key, body })).json.id;
  };
  const [document, face] = [await create('document_only'), await create('document_liveness')];
  expect((await search(`${text}&method=document_only`)).ids).toEqual([document]);
  expect((await search(`${text}&method=document_liveness`)).ids).toEqual([face]);
  const none = await search(`${text}&method=idin`);
  expect([none.ids, none.html]).toEqual([[], expect.stringContaining('No verification matches')]);
  expect(none.html).toMatch(/<option value="idin" selected/);
  expect((await search(text)).ids).toEqual([face, document]);
});

test('a wrong field is shown again with its fault, and unknown values count as no filter', async () => {
  const wrong = await search('from=yesterday&text=%3Cb%3E');
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('Give a date such as');
  expect(wrong.html).toContain('value="yesterday"');
  expect(wrong.html).toContain('value="&lt;b>"');
  expect((await search('text=a%00b')).html).toContain('characters that no reference can have');
  expect((await search('status=lost&environment=moon&after=nothing')).status).toBe(200);
});

test('pages lead on to older ones with the same search', async () => {
  const body = { method: 'document_only', reference: 'many' };
  for (let i = 0; i < 51; i++) await call(harness, 'POST', '/v1/verifications', { key: live.key, body });
  const first = await search('text=many');
  expect(first.ids).toHaveLength(50);
  const older = /href="(\/verifications\?[^"]*after=[^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&');
  const { html } = await visitor.get(older ?? '');
  expect(idsIn(html)).toHaveLength(1);
  expect(first.ids).not.toContain(idsIn(html)[0]);
});

test('one page shows state, verdict, deliveries and the whole history', async () => {
  const { json } = await partner.ask('POST', '/verifications', {
    reference: 'customer 19',
    sandbox: { scenario: 'review' },
  });
  const look = async () => (await visitor.get(`/verifications/${json.id}`)).html;
  await expect.poll(look).toContain('Attempt 1 of verification.completed: 200');
  const html = await look();
  for (const part of [
    'customer 19',
    json.dossier_ref,
    'Created, Outcome: in review, by API key',
    'Run started',
    'in doubt',
  ])
    expect(html).toContain(part);
  expect(html).toMatch(/Created, Outcome: in review, by API key svc_test_\w{3}…/);
  expect(html.indexOf('Run started')).toBeGreaterThan(html.indexOf('<summary>Steps of the workflow ('));
  expect(html).toContain(partner.receiver.url);
  expect(html).toContain('>Delivered: the receiver answered 200</td>');
  const [, delivery = ''] = /href="(\/deliveries\/[\da-f-]{36})"/.exec(html) ?? [];
  expect((await visitor.get(delivery)).html).toContain('Delivered: the receiver answered 200');
  expect(html).toContain('<dd>automatic</dd>');
  expect(html).not.toContain(json.verify_url);
});

test('an open one has no event yet, and one whose link ended says so in the list and on its page', async () => {
  const { id } = await createLive('customer 27');
  const page = async () => (await visitor.get(`/verifications/${id}`)).html;
  expect(await page()).toContain('There is no event yet.');
  expect(await page()).not.toContain('link expired');
  await harness.rows`update verifications set link_expires_at = now() - interval '1 minute' where id = ${id}`;
  expect(await page()).toContain('<dd>link expired</dd>');
  expect(await page()).toContain('No event was sent, because there is no verdict.');
  expect((await visitor.get('/verifications?text=customer+27')).html).toContain('>link expired</td>');
});

test('a reference that is in the other environment is found there', async () => {
  const { json } = await partner.ask('POST', '/verifications', { reference: 'customer 28' });
  const { location } = await visitor.get('/verifications?text=customer+28');
  expect(location).toBe('/verifications?text=customer+28&environment=sandbox&notice=found_elsewhere');
  const { html } = await visitor.get(location ?? '');
  expect(html).toContain(json.id);
  expect(html).toContain('It is not in the environment that you searched, but in this one.');
  expect((await visitor.get('/verifications?text=customer+nobody')).status).toBe(200);
});

test('beside what only has a part of the reference, the way to the other environment is offered', async () => {
  await createLive('customer 301');
  const { json } = await partner.ask('POST', '/verifications', { reference: 'customer 30' });
  const { html } = await visitor.get('/verifications?text=customer+30');
  expect([html.includes('customer 301'), html.includes(json.id)]).toEqual([true, false]);
  const [, path = ''] = /<a href="([^"]+)">Search in sandbox</.exec(html) ?? [];
  expect((await visitor.get(path.replaceAll('&amp;', '&'))).html).toContain(json.id);
  expect((await visitor.get('/verifications?text=customer+301')).html).not.toContain('Search in sandbox');
});

test('beside more verifications than one page looks through, a whole reference is found in the other environment, and a part is not', async () => {
  const ofLarge = { org: 'Large', environment: 'live' } as const;
  const { key } = await harness.key(ofLarge);
  const sandbox = await harness.key({ org: 'Large' });
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  await harness.rows`
    insert into verifications select (jsonb_populate_record(null::verifications, to_jsonb(verifications) || jsonb_build_object(
      'id', gen_random_uuid(), 'dossier_ref', 'dos_large_' || n))).*
    from verifications, generate_series(1, 5000) as n where id = ${json.id}`;
  await call(harness, 'POST', '/v1/verifications', { key: sandbox.key, body: { reference: 'customer 29' } });
  const large = await joins(harness, url, { org: 'Large', role: 'owner' });
  const { location } = await large.visitor.get('/verifications?text=customer+29');
  expect(location).toBe('/verifications?text=customer+29&environment=sandbox&notice=found_elsewhere');
  const { status, html } = await large.visitor.get('/verifications?text=customer');
  expect([status, html.includes('Looked back to')]).toEqual([200, true]);
});

const away = 'Temporal did not answer';
const gone = 'Those of this verification are gone';

test('the page says when Temporal does not answer, and shows the rest of the history all the same', async () => {
  const { id } = await createLive('customer 25');
  const proxy = await startProxy(Number(inject('temporalAddress').split(':')[1]));
  onTestFinished(proxy.stop);
  const place = { address: undefined, namespace: 'default', tls: undefined, apiKey: undefined };
  const connection = await lazyConnection(place, `127.0.0.1:${proxy.port}`);
  onTestFinished(() => connection.close());
  const { secrets } = harness.ctx;
  const temporal = createTemporalClient(connection, { namespace: 'default', secrets });
  const other = await harness.startConsole({ temporal });
  const owner = await joins(harness, other.url, { role: 'owner' });
  const look = async () => (await owner.visitor.get(`/verifications/${id}`)).html;
  await expect.poll(look).toContain('Run started');
  expect(await look()).not.toContain(away);
  proxy.down();
  const without = await look();
  expect(without).toContain(away);
  expect(without).not.toContain(gone);
  expect(without).toContain('Created, by API key');
  expect(without).not.toContain('Run started');
});

test('the page says when Temporal has removed the steps of the workflow', async () => {
  const { json } = await partner.ask('POST', '/verifications', { reference: 'customer 26' });
  const look = async () => (await visitor.get(`/verifications/${json.id}`)).html;
  await expect.poll(look).toContain('Run started');
  expect(await look()).not.toContain(gone);
  await harness.temporal.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: verificationWorkflowId(json.id) },
  });
  await expect.poll(look, { timeout: 60_000 }).toContain(gone);
  expect(await look()).not.toContain(away);
  expect(await look()).not.toContain('Run started');
});

test('an open one shows its link to those who may change it, and to nobody else', async () => {
  const { id, verify_url } = await createLive('customer 20');
  expect((await visitor.get(`/verifications/${id}`)).html).toContain(verify_url);
  const seen = await auditor.visitor.get(`/verifications/${id}`);
  expect(seen.status).toBe(200);
  expect(seen.html).not.toContain(verify_url);
  expect(seen.html).not.toContain('Erase');
});

test('cancel, fresh link and erase work from the page; the history names the member', async () => {
  const { id, verify_url } = await createLive('customer 21');
  const path = `/verifications/${id}`;
  const order = (name: string, fields = {}) => visitor.submit(path, `${path}/${name}`, fields);
  expect((await order('cancel', { sure: 'yes' })).location).toBe(`${path}?notice=saved`);
  expect((await person(harness, verify_url).look()).text).toMatch(/cancelled/i);
  expect((await order('link')).status).toBe(303);
  const fresh = (await get(id)).verify_url;
  expect(fresh).not.toBe(verify_url);
  const unsure = await order('erase');
  expect([unsure.status, unsure.html.includes('Tick the box')]).toEqual([422, true]);
  expect((await get(id)).reference).toBe('customer 21');
  expect((await order('erase', { sure: 'yes' })).status).toBe(303);
  expect((await get(id)).reference).toBeNull();
  expect((await visitor.get(path)).html).toContain(`The personal data were erased, by member ${email}`);
});

test('an order that comes too late says why, and changes nothing', async () => {
  const { json } = await partner.ask('POST', '/verifications', {});
  const path = `/verifications/${json.id}`;
  for (const order of ['cancel', 'link']) {
    const { status, html } = await visitor.submit(path, `${path}/${order}`, { sure: 'yes' });
    expect([order, status]).toEqual([order, 409]);
    expect(html).toContain('completed already');
  }
});

test('a verification of another organisation, an unknown id and no id are the same page', async () => {
  const { visitor: foreign } = await joins(harness, url, { org: 'Stranger', role: 'owner' });
  const { id, verify_url } = await createLive('customer 22');
  const pages = [];
  for (const wanted of [id, randomUUID(), 'nothing']) {
    const { status, html } = await foreign.get(`/verifications/${wanted}`);
    pages.push([status, html.replaceAll(/value="[^"]*"/g, '')]);
  }
  expect(pages[0]?.[0]).toBe(404);
  expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
  for (const order of ['cancel', 'link', 'erase'])
    expect((await foreign.submit('/account', `/verifications/${id}/${order}`, { sure: 'yes' })).status).toBe(
      404,
    );
  expect(await get(id)).toMatchObject({ reference: 'customer 22', verify_url });
});
