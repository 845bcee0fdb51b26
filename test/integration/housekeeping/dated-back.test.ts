import { expect, test, vi } from 'vitest';
import { newUuid } from '#platform/crypto/crypto.ts';
import { keptMs } from '#policy/retention.ts';
import type { Caller } from '#services/caller.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { monthlyUsage } from '#services/usage/monthly.ts';
import { doubtful, eventually, walkedThrough } from '#test/integration/dossiers/support.ts';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { reportByOperator } from '#test/support/people/as-operator.ts';
import { joins } from '#test/support/people/console.ts';
import { atBank, press, simulatedBanks } from '#test/support/people/idin.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { dateBack, purgeAll, rowsLeft } from './dating.ts';

/**
 * All rows of real verifications are dated back by each period of retention in turn, and housekeeping runs. So the test shows what is
 * left, table by table and row by row.
 */

const { banks, agree } = await simulatedBanks();
const harness = await startHarness({ documents: doubtful, banks });
const live = await harness.key({ environment: 'live' });
await agree(harness.ctx, 'Acme');
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
const usage = async () => (await monthlyUsage(harness.store, { organisation: 'Acme' })) ?? [];
const left = () => rowsLeft(harness, (id) => names.get(tail(id)) ?? 'other');

const later = async (ms: number) => {
  await dateBack(harness, ms);
  const charged = await usage();
  await purgeAll(harness);
  // What was charged stays, month by month, also of what was removed.
  expect(await usage()).toEqual(charged);
  expect(charged.reduce((sum, { verifications }) => sum + verifications, 0)).toBe(completed.length);
  return left();
};

/** Those who handed in a document. `unreported` has been claimed by a member, who never decides. */
const undecided = ['ended', 'going on', 'unreported'];
/** A member has decided about `decided`, and a bank confirmed `confirmed`. */
const completed = ['confirmed', 'decided', ...undecided];
/** The decision of the member is an event too, to which no endpoint has subscribed. */
const withEvent = [...completed, 'decided', 'income', 'sandbox'];
const sent = completed.length + 1;
const each = (owners: string[], words: string[]) =>
  owners.flatMap((owner) => words.map((word) => `${owner} ${word}`)).sort();
const chain = (...more: string[]) => [
  ...[
    'verification.created',
    'verification.started',
    'verification.submitted',
    'verification.completed',
    'evidence.masked',
  ],
  ...more,
];
/** The line that tells what the bank confirmed is one more. */
const personal = (owners: string[]) =>
  [
    ...each(owners, ['line 1', 'line 2']),
    ...each(
      owners.filter((owner) => owner === 'confirmed'),
      ['line 3'],
    ),
  ].sort();
const ofOthers = [
  'other account.second_factor_set',
  'other key.created',
  'other key.created',
  'other member.invited',
  'other member.joined',
  'other organisation.changed',
  'other webhook.created',
  'other webhook.secret_rotated',
];
const ofMembers = {
  members: ['reviewer'],
  member_sessions: ['session'],
  member_links: [],
  member_recovery_codes: ['codes'],
  member_passkeys: [],
  delivery_orders: ['resend'],
};

/** A person shows a document and the face, and a member approves. */
async function decidedBy(caller: Caller): Promise<string> {
  const body = { method: 'document_liveness', reference: 'of decided' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: live.key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.upload('selfie', await anyPicture());
  await user.noMovements();
  await user.submit();
  await untilCompleted(json.id);
  await untilMasked(harness.rows, json.id);
  await claimReview(office(), caller, json);
  await openMaterial(office(), caller, json);
  const decision = {
    verificationId: json.id,
    outcome: 'approved',
    reasonIds: reasonsFor('approved'),
  } as const;
  expect(await decideReview(office(), caller, decision)).toMatchObject({ state: 'reviewed' });
  return json.id;
}

async function confirmedByBank(): Promise<string> {
  const body = { method: 'idin', reference: 'of confirmed' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: live.key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  const { pathname, search } = await press(await atBank(user), { choice: 'success', persona: 'plain' });
  expect((await call(harness, 'GET', pathname + search)).status).toBe(303);
  await untilCompleted(json.id);
  return json.id;
}

const untilCompleted = (id: string) =>
  vi.waitFor(async () => {
    const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key: live.key });
    expect(json.status).toBe('completed');
  }, eventually);
const office = () => ({ ...harness.ctx, deadlineAt: Date.now() + 10_000 });

/** Walks with each of the verifications above, and with a verification and an income check of sandbox. */
async function walkAll(): Promise<void> {
  const { url } = await harness.startConsole();
  const { memberId } = await joins(harness, url, { role: 'reviewer' });
  for (const name of undecided)
    named(name, await walkedThrough(harness, live.key, { reference: `of ${name}` }));
  const reviewer = asOwner({ id: memberId }, live.organisationId, 'live');
  named('decided', await decidedBy(reviewer));
  named('confirmed', await confirmedByBank());
  await claimReview(office(), reviewer, { id: await idOf('unreported') });
  named('sandbox', (await call(harness, 'POST', '/v1/verifications', { key: sandbox.key })).json.id);
  named('income', (await call(harness, 'POST', '/v1/income-checks', { key: sandbox.key })).json.id);
  await harness.rows`
    insert into income_hashes (verification_id, sha256, org_id, environment)
    select id, '\\x00', org_id, environment from verifications where method = 'income'`;
  await vi.waitFor(
    async () =>
      expect(await harness.rows`select 1 from deliveries where status = 'delivered'`).toHaveLength(sent),
    eventually,
  );
  await harness.rows`
    insert into delivery_orders (id, org_id, endpoint_id, kind, member_id, expected)
    values (${newUuid()}, ${live.organisationId}, ${endpoint.id}, 'resend', ${memberId}, 0)`;
}

/** A person begins and never sends, with a command that was lost. */
async function walkHalf(): Promise<void> {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    ...{ key: live.key, headers: { 'idempotency-key': 'k' } },
    body: { method: 'document_only', reference: 'of nobody' },
  });
  const stranger = person(harness, json.verify_url);
  named('unfinished', json.id);
  await stranger.start();
  await stranger.upload('passport_page', await anyPicture());
  await harness.rows`
    with claim as (
      insert into requests (id, org_id, environment, operation, fingerprint, input, status, verification_id)
      values (${newUuid()}, ${live.organisationId}, 'live', 'submit', '\\x00', '{}', 'claimed', ${json.id})
    )
    insert into commands (verification_id, request_id, name, data, personal)
    values (${json.id}, 'req_lost', 'submit', '{}', '\\x00')`;
}

test('what is left of verifications after each period, until five years and a day after the end of the relationship', async () => {
  await walkAll();
  await walkHalf();
  await call(harness, 'POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, {
    ...{ key: live.key, body: { overlap_hours: 168 } },
  });
  // The API writes its log when it stops, at the latest.
  await harness.stopApi();
  await purgeAll(harness);

  const atFirst = {
    ...ofMembers,
    verifications: [...completed, 'income', 'sandbox', 'unfinished'].sort(),
    income_checks: ['income'],
    // Nothing was handed in in sandbox.
    income_files: [],
    income_hashes: ['income hash'],
    // Of what was sent, the masked copy and the answer of the bank are left, until a member has decided.
    evidence: [
      'confirmed bank true',
      ...each(undecided, ['masked_front true']),
      'unfinished passport_page true',
    ].sort(),
    data_keys: [...completed, 'unfinished'].sort(),
    ledger: [
      ...[...each(undecided, chain()), ...ofOthers, ...each(['income', 'sandbox'], ['verification.created'])],
      'unreported review.claimed',
      ...each(
        ['decided'],
        chain('review.claimed', 'evidence.viewed', 'verification.reviewed', 'evidence.purged'),
      ),
      ...each(['confirmed'], chain().slice(0, 4)),
      ...each(['unfinished'], ['verification.created', 'verification.started']),
    ].sort(),
    ledger_personal: [...personal(completed), ...personal(['unfinished'])].sort(),
    commands: ['unfinished submit'],
    examinations: each(completed, ['examination']),
    eid_transactions: ['confirmed visit success'],
    review_claims: ['unreported claim'],
    review_decisions: ['decided approved'],
    events: each(withEvent, ['with body']),
    deliveries: Array(sent).fill('delivered'),
    delivery_attempts: Array(sent).fill('with answer, with headers'),
    requests: [
      ...each([...completed, 'sandbox'], ['create_verification, answer']),
      'income create_income_check, answer',
      ...each(['unfinished'], ['create_verification, key, answer', 'submit, input']),
    ].sort(),
    request_log: ['lines'],
    webhook_endpoints: ['two secrets'],
  };
  expect(await left()).toEqual(atFirst);

  const afterADay = {
    ...atFirst,
    // The link ended a day after Start, and with it the picture that nobody sent.
    evidence: atFirst.evidence.filter((line) => !line.startsWith('unfinished')),
    ledger: [...atFirst.ledger, 'unfinished evidence.purged'].sort(),
    commands: [],
    requests: [
      ...each([...completed, 'sandbox', 'unfinished'], ['create_verification']),
      'income create_income_check',
      'unfinished submit',
    ].sort(),
  };
  expect(await later(25 * hour)).toEqual(afterADay);

  const afterAWeek = { ...afterADay, webhook_endpoints: ['one secret'] };
  expect(await later(6 * day)).toEqual(afterAWeek);

  const afterAMonth = {
    ...afterAWeek,
    evidence: [],
    ledger: [...afterAWeek.ledger, ...each(['confirmed', ...undecided], ['evidence.purged'])].sort(),
    events: each(withEvent, ['empty']),
    delivery_attempts: Array(sent).fill('without answer, without headers'),
    requests: [],
    request_log: [],
  };
  expect(await later(24 * day)).toEqual(afterAMonth);

  const afterAQuarter = {
    ...afterAMonth,
    verifications: [...completed, 'income', 'sandbox'].sort(),
    data_keys: [...completed].sort(),
    ledger: [
      ...afterAMonth.ledger.filter((line) => !line.startsWith('unfinished')),
      'unfinished verification.removed',
    ].sort(),
    ledger_personal: personal(completed),
  };
  expect(await later(60 * day)).toEqual(afterAQuarter);

  // Some years later the operator reports the end of one relationship, and that another one goes on.
  expect(await later(900 * day)).toEqual(afterAQuarter);
  await reportByOperator(harness.ctx, { id: await idOf('ended'), endedOn: today() });
  await reportByOperator(harness.ctx, { id: await idOf('going on'), endedOn: null });

  const removed = (...owners: string[]) => each(owners, ['verification.removed']);
  const removedFirst = ['confirmed', 'decided', 'income', 'sandbox', 'unfinished', 'unreported'];
  /** What is left if only these are. */
  const leftOf = (...owners: string[]) => ({
    ...{
      verifications: owners,
      income_checks: [],
      income_hashes: [],
      data_keys: owners,
      ledger_personal: personal(owners),
    },
    examinations: each(owners, ['examination']),
    ...{ eid_transactions: [], review_claims: [], review_decisions: [] },
    events: [...Array(withEvent.length - owners.length).fill('empty'), ...each(owners, ['empty'])].sort(),
  });
  const afterFiveYears = {
    ...{ ...afterAQuarter, ...leftOf('ended', 'going on') },
    ledger: [
      ...each(['ended'], chain('evidence.purged', 'relation.ended')),
      ...each(['going on'], chain('evidence.purged', 'relation.continues')),
      ...[...ofOthers, ...removed(...removedFirst)],
    ].sort(),
  };
  expect(await later(fiveYearsAndADay - 991 * day)).toEqual(afterFiveYears);

  const afterTheEnd = {
    ...{ ...afterFiveYears, ...leftOf('going on') },
    ledger: [
      ...afterFiveYears.ledger.filter((line) => !line.startsWith('ended')),
      'ended verification.removed',
    ].sort(),
  };
  expect(await later(991 * day)).toEqual(afterTheEnd);
  expect(await later(20 * 365 * day)).toEqual(afterTheEnd);

  await reportByOperator(harness.ctx, { id: await idOf('going on'), endedOn: today() });
  const nothingButRemovals = {
    ...{ ...afterTheEnd, ...leftOf() },
    ledger: [...ofOthers, ...removed('ended', 'going on', ...removedFirst)].sort(),
  };
  expect(await later(fiveYearsAndADay)).toEqual(nothingButRemovals);
});
