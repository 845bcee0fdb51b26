import { expect, test, vi } from 'vitest';
import { newUuid } from '#platform/crypto.ts';
import { keptMs } from '#policy/retention.ts';
import { reportRelation } from '#services/relations/report.ts';
import { doubtful, eventually, walkedThrough } from '#test/integration/dossiers/support.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/person.ts';
import { anyPicture } from '#test/support/picture.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { dateBack, purgeAll, rowsLeft } from './dating.ts';

/**
 * All rows of real verifications are dated back by each period of retention in turn, and housekeeping runs. So the test shows what is
 * left, table by table and row by row.
 */

const harness = await startHarness({ documents: doubtful });
const live = await harness.key({ environment: 'live' });
const sandbox = await harness.key();
const receiver = await startReceiver({ status: 200 });
const hour = 3_600_000;
const day = 24 * hour;
const fiveYearsAndADay = keptMs.completed_verifications + day;
const today = () => new Date().toISOString().slice(0, 10);

const { json: endpoint } = await call(harness, 'POST', '/v1/webhooks', {
  ...{ key: live.key, body: { url: receiver.url } },
});

/** The end of an id, which is random, does not change when a row is dated back. */
const names = new Map<string, string>();
const tail = (id: unknown) => String(id).slice(-12);
const named = (name: string, id: string) => {
  names.set(tail(id), name);
  return id;
};
const idOf = async (name: string) => {
  const ids = await harness.rows<{ id: string }>`select id from verifications`;
  return ids.find(({ id }) => names.get(tail(id)) === name)?.id ?? expect.unreachable(`${name} is gone`);
};
const left = () => rowsLeft(harness, (id) => names.get(tail(id)) ?? 'other');

const later = async (ms: number) => {
  await dateBack(harness, ms);
  await purgeAll(harness);
  return left();
};

const completed = ['ended', 'going on', 'unreported'];
const each = (owners: string[], words: string[]) =>
  owners.flatMap((owner) => words.map((word) => `${owner} ${word}`)).sort();
const chain = (...more: string[]) => [
  ...[
    'verification.created',
    'verification.started',
    'verification.submitted',
    'evidence.masked',
    'verification.completed',
  ],
  ...more,
];
const ofOthers = [
  'other key.created',
  'other key.created',
  'other webhook.created',
  'other webhook.secret_rotated',
];

test('what is left of verifications after each period, until five years and a day after the end of the relationship', async () => {
  for (const name of ['ended', 'going on', 'unreported'])
    named(name, await walkedThrough(harness, live.key, { reference: `of ${name}` }));
  const open = await call(harness, 'POST', '/v1/verifications', {
    ...{ key: live.key, headers: { 'idempotency-key': 'k' } },
    body: { method: 'document_only', reference: 'of nobody' },
  });
  const stranger = person(harness, open.json.verify_url);
  named('unfinished', open.json.id);
  await stranger.start();
  await stranger.upload('passport_page', await anyPicture());
  named('sandbox', (await call(harness, 'POST', '/v1/verifications', { key: sandbox.key })).json.id);
  await call(harness, 'POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, {
    ...{ key: live.key, body: { overlap_hours: 168 } },
  });
  await vi.waitFor(
    async () =>
      expect(await harness.rows`select 1 from deliveries where status = 'delivered'`).toHaveLength(4),
    eventually,
  );
  await harness.rows`
    with claim as (
      insert into requests (id, org_id, environment, operation, fingerprint, input, status, verification_id)
      values (${newUuid()}, ${live.organisationId}, 'live', 'submit', '\\x00', '{}', 'claimed', ${open.json.id})
    )
    insert into commands (verification_id, request_id, name, data, personal)
    values (${open.json.id}, 'req_lost', 'submit', '{}', '\\x00')`;
  // The API writes its log when it stops, at the latest.
  await harness.stopApi();
  await purgeAll(harness);

  const atFirst = {
    verifications: ['ended', 'going on', 'sandbox', 'unfinished', 'unreported'],
    // Of what was sent, the masked copy is left.
    evidence: [...each(completed, ['masked_front true']), 'unfinished passport_page true'].sort(),
    data_keys: ['ended', 'going on', 'unfinished', 'unreported'],
    ledger: [
      ...[...each(completed, chain()), ...ofOthers, 'sandbox verification.created'],
      ...each(['unfinished'], ['verification.created', 'verification.started']),
    ].sort(),
    ledger_personal: each([...completed, 'unfinished'], ['line 1', 'line 2']),
    commands: ['unfinished submit'],
    examinations: each(completed, ['examination']),
    events: each([...completed, 'sandbox'], ['with body']),
    deliveries: Array(4).fill('delivered'),
    delivery_attempts: Array(4).fill('with answer'),
    requests: [
      ...each([...completed, 'sandbox'], ['create_verification, answer']),
      ...each(['unfinished'], ['create_verification, key, answer', 'submit, input']),
    ].sort(),
    request_log: ['lines'],
    webhook_endpoints: ['two secrets'],
  };
  expect(await left()).toEqual(atFirst);

  const afterADay = {
    ...atFirst,
    // The link ended a day after Start, and with it the picture that nobody sent.
    evidence: each(completed, ['masked_front true']),
    ledger: [...atFirst.ledger, 'unfinished evidence.purged'].sort(),
    commands: [],
    requests: [
      ...each([...completed, 'sandbox', 'unfinished'], ['create_verification']),
      'unfinished submit',
    ].sort(),
  };
  expect(await later(25 * hour)).toEqual(afterADay);

  const afterAWeek = { ...afterADay, webhook_endpoints: ['one secret'] };
  expect(await later(6 * day)).toEqual(afterAWeek);

  const afterAMonth = {
    ...afterAWeek,
    evidence: [],
    ledger: [...afterAWeek.ledger, ...each(completed, ['evidence.purged'])].sort(),
    events: each([...completed, 'sandbox'], ['empty']),
    delivery_attempts: Array(4).fill('without answer'),
    requests: [],
    request_log: [],
  };
  expect(await later(24 * day)).toEqual(afterAMonth);

  const afterAQuarter = {
    ...afterAMonth,
    verifications: ['ended', 'going on', 'sandbox', 'unreported'],
    data_keys: completed,
    ledger: [
      ...afterAMonth.ledger.filter((line) => !line.startsWith('unfinished')),
      'unfinished verification.removed',
    ].sort(),
    ledger_personal: each(completed, ['line 1', 'line 2']),
  };
  expect(await later(60 * day)).toEqual(afterAQuarter);

  // Some years later the operator reports the end of one relationship, and that another one goes on.
  expect(await later(900 * day)).toEqual(afterAQuarter);
  await reportRelation(harness.ctx, { id: await idOf('ended'), endedOn: today() });
  await reportRelation(harness.ctx, { id: await idOf('going on'), endedOn: null });

  const removed = (...owners: string[]) => each(owners, ['verification.removed']);
  const afterFiveYears = {
    ...afterAQuarter,
    verifications: ['ended', 'going on'],
    data_keys: ['ended', 'going on'],
    ledger: [
      ...each(['ended'], chain('evidence.purged', 'relation.ended')),
      ...each(['going on'], chain('evidence.purged', 'relation.continues')),
      ...[...ofOthers, ...removed('sandbox', 'unfinished', 'unreported')],
    ].sort(),
    ledger_personal: each(['ended', 'going on'], ['line 1', 'line 2']),
    examinations: each(['ended', 'going on'], ['examination']),
    events: ['empty', 'empty', 'ended empty', 'going on empty'],
  };
  expect(await later(fiveYearsAndADay - 991 * day)).toEqual(afterFiveYears);

  const afterTheEnd = {
    ...afterFiveYears,
    verifications: ['going on'],
    data_keys: ['going on'],
    ledger: [
      ...afterFiveYears.ledger.filter((line) => !line.startsWith('ended')),
      'ended verification.removed',
    ].sort(),
    ledger_personal: each(['going on'], ['line 1', 'line 2']),
    examinations: ['going on examination'],
    events: ['empty', 'empty', 'empty', 'going on empty'],
  };
  expect(await later(991 * day)).toEqual(afterTheEnd);
  expect(await later(20 * 365 * day)).toEqual(afterTheEnd);

  await reportRelation(harness.ctx, { id: await idOf('going on'), endedOn: today() });
  const nothingButRemovals = {
    ...afterTheEnd,
    ...{ verifications: [], data_keys: [], ledger_personal: [], examinations: [] },
    ledger: [...ofOthers, ...removed('ended', 'going on', 'sandbox', 'unfinished', 'unreported')].sort(),
    events: Array(4).fill('empty'),
  };
  expect(await later(fiveYearsAndADay)).toEqual(nothingButRemovals);
});
