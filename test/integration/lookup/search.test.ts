import { expect, test } from 'vitest';
import { callerOfOperator } from '#services/caller.ts';
import { type Search, searchVerifications } from '#services/verifications/search.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key, organisationId } = await harness.key();
const caller = callerOfOperator({ orgId: organisationId, environment: 'sandbox' });
const search = (wanted: Partial<Search>) =>
  searchVerifications(harness, caller, { limit: 50, starting_after: undefined, ...wanted });
const idsOf = async (wanted: Partial<Search>) => (await search(wanted)).data.map(({ id }) => id);

const create = async (body: object) => (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
const approved = await create({ reference: 'customer 1', method: 'document_only' });
const rejected = await create({ reference: 'customer 2', method: 'idin', sandbox: { scenario: 'rejected' } });
const pending = await create({ reference: 'customer 1', sandbox: { auto_complete: false } });
const all = [pending.id, rejected.id, approved.id];

test('without a filter all are listed, newest first, also those without a reference', async () => {
  const { key: nameless, organisationId: orgId } = await harness.key({ org: 'Nameless' });
  await call(harness, 'POST', '/v1/verifications', { key: nameless, body: {} });
  const scope = callerOfOperator({ orgId, environment: 'sandbox' });
  expect(await idsOf({})).toEqual(all);
  for (const text of [undefined, '', ' '])
    expect(
      (await searchVerifications(harness, scope, { text, limit: 5, starting_after: undefined })).data,
    ).toHaveLength(1);
});

test('id, dossier_ref and reference find what they name', async () => {
  expect(await idsOf({ text: approved.id.toUpperCase() })).toEqual([approved.id]);
  expect(await idsOf({ text: ` ${rejected.dossier_ref} ` })).toEqual([rejected.id]);
  expect(await idsOf({ text: 'customer 1' })).toEqual([pending.id, approved.id]);
});

test('a part of a reference finds those that contain it, in any case of letters, unless one is the text itself', async () => {
  expect(await idsOf({ text: 'Customer' })).toEqual([pending.id, rejected.id, approved.id]);
  expect(await idsOf({ text: 'OMER 2' })).toEqual([rejected.id]);
  expect(await idsOf({ text: 'customer 1' })).toEqual([pending.id, approved.id]);
  expect(await idsOf({ text: 'customer', status: 'pending' })).toEqual([pending.id]);
  expect(await idsOf({ text: 'customer_1' })).toEqual([]);
  const first = await search({ text: 'customer', limit: 2 });
  expect([first.data.map(({ id }) => id), first.next]).toEqual([[pending.id, rejected.id], rejected.id]);
  expect(await idsOf({ text: 'customer', limit: 2, starting_after: rejected.id })).toEqual([approved.id]);
  for (const text of [approved.id.slice(0, 20), approved.dossier_ref.slice(0, 20)])
    expect(await idsOf({ text })).toEqual([]);
});

test('a part is found in any script, whatever letter follows it', async () => {
  const { key: abroad, organisationId: orgId } = await harness.key({ org: 'Abroad' });
  for (const reference of ['ΟΔΟΣΑ 7', 'Hauptstraße 1'])
    await call(harness, 'POST', '/v1/verifications', { key: abroad, body: { reference } });
  const scope = callerOfOperator({ orgId, environment: 'sandbox' });
  const find = async (text: string) =>
    (await searchVerifications(harness, scope, { text, limit: 50, starting_after: undefined })).data.map(
      ({ reference }) => reference,
    );
  for (const text of ['ΟΔΟΣ', 'οδος', 'οδοσα']) expect([text, await find(text)]).toEqual([text, ['ΟΔΟΣΑ 7']]);
  for (const text of ['straß', 'STRASSE', '\u1e9e'])
    expect([text, await find(text)]).toEqual([text, ['Hauptstraße 1']]);
});

test('a page looks through 5,000 verifications for a part, says how far back it looked, and leads on', async () => {
  const { key: many, organisationId: orgId } = await harness.key({ org: 'Many' });
  const oldest = (
    await call(harness, 'POST', '/v1/verifications', {
      key: many,
      body: { reference: 'one of ten thousand' },
    })
  ).json;
  await harness.rows`
    insert into verifications select (jsonb_populate_record(null::verifications, to_jsonb(verifications) || jsonb_build_object(
      'id', gen_random_uuid(), 'dossier_ref', 'dos_many_' || n, 'reference', 'order ' || n,
      'created_at', created_at + n * interval '1 second'))).*
    from verifications, generate_series(1, 5000) as n where id = ${oldest.id}`;
  const scope = callerOfOperator({ orgId, environment: 'sandbox' });
  const find = (text: string, starting_after?: string) =>
    searchVerifications(harness, scope, { text, limit: 50, starting_after });
  const first = await find('ten thousand');
  const [last] = (await find('order 1')).data;
  expect(first).toEqual({ data: [], next: last?.id, lookedBackTo: last?.createdAt });
  const second = await find('ten thousand', first.next ?? '');
  expect([second.data.map(({ id }) => id), second.next]).toEqual([[oldest.id], null]);
  expect((await find('order 12')).lookedBackTo).toBeNull();
});

test('status, method, outcome and time narrow the list, alone and together', async () => {
  expect(await idsOf({ status: 'pending' })).toEqual([pending.id]);
  expect(await idsOf({ method: 'idin' })).toEqual([rejected.id]);
  expect(await idsOf({ outcome: 'approved' })).toEqual([approved.id]);
  expect(await idsOf({ outcome: 'approved', method: 'idin' })).toEqual([]);
  const at = new Date(rejected.created_at);
  expect(await idsOf({ createdFrom: at })).toEqual([pending.id, rejected.id]);
  expect(await idsOf({ createdBefore: at })).toEqual([approved.id]);
});

test('pages follow each other, and a cursor that names no verification is refused', async () => {
  const first = await search({ limit: 2 });
  expect(first.next).toBe(rejected.id);
  expect(await idsOf({ limit: 2, starting_after: rejected.id })).toEqual([approved.id]);
  await expect(search({ starting_after: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});

test('nothing of another organisation or environment is found', async () => {
  const other = await harness.key({ org: 'Other' });
  for (const [orgId, environment] of [
    [other.organisationId, 'sandbox'],
    [organisationId, 'live'],
  ] as const) {
    const foreign = callerOfOperator({ orgId, environment });
    for (const text of [approved.id, approved.dossier_ref, 'customer 1', ''])
      expect(
        (await searchVerifications(harness, foreign, { text, limit: 50, starting_after: undefined })).data,
      ).toEqual([]);
  }
});

test.each(['\0', '\ud800'])('text that no row can hold is refused: %j', async (text) => {
  await expect(async () => search({ text: `a${text}` })).rejects.toMatchObject({ code: 'invalid_parameter' });
});
