import { describe, expect, test, vi } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { callerOfOperator } from '#services/caller.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { recordVerification } from '#services/recording/record.ts';
import { erase as eraseInRows } from '#services/verifications/erase.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { untilAsleep } from '#test/support/asleep.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { eraseByOperator, settle } from '#test/support/people/as-operator.ts';
import { consented } from '#test/support/people/consented.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { runEnds } from '#test/support/rows/runs.ts';
import { holdRow, inOrder, waitingForLocks } from '#test/support/servers/locks.ts';

const reader = { gate: Promise.resolve() };
const documents: DocumentReader = {
  check: async () => {
    await reader.gate;
    return { checks: [], read: null };
  },
  close: async () => undefined,
};
const harness = await startHarness({ documents });
const live = await harness.key({ environment: 'live', org: 'may erase' });
await settle(harness.store, 'may erase', { eraseByKey: true });
const sandbox = await harness.key({ org: 'may erase' });

const marker = 'CANARY-reference-of-a-person';
const create = (key: string, { body = {}, headers = {} } = {}) =>
  call(harness, 'POST', '/v1/verifications', {
    ...{ key, headers },
    body: { method: 'document_only', reference: marker, ...body },
  });
const erase = (id: string, key: string) => call(harness, 'POST', `/v1/verifications/${id}/erase`, { key });
const read = async (id: string, key: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;

const started = async () => {
  const { json } = await create(live.key);
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user };
};

/** Every row of every table that has the marker or a sealed value, by table. */
const traces = async (id: string) => {
  const found = {
    evidence: await harness.rows`select 1 from evidence where verification_id = ${id}`,
    keys: await harness.rows`select 1 from data_keys where verification_id = ${id}`,
    personal: await harness.rows`select 1 from ledger_personal where subject_id = ${id}`,
    answers: await harness.rows`
      select 1 from requests where (id = ${id} or verification_id = ${id}) and answer is not null
        and operation in ('create_verification', 'cancel_verification', 'renew_link')`,
    rows: await harness.rows`select 1 from verifications where id = ${id} and reference is not null`,
    bodies: await harness.rows`
      select 1 from events where verification_id = ${id} and position(${marker}::bytea in body) > 0`,
  };
  return Object.entries(found).flatMap(([table, rows]) => (rows.length > 0 ? [table] : []));
};
const faults = async () => {
  const found: unknown[] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => void found.push(fault));
  return found;
};

describe('an open verification', () => {
  test('loses everything of its person, is cancelled, and sends nothing', async () => {
    const { id, user } = await started();
    expect(await traces(id)).toEqual(['evidence', 'keys', 'personal', 'answers', 'rows']);
    const { status, json } = await erase(id, live.key);
    expect([status, json.status, json.reference]).toEqual([200, 'in_progress', null]);
    expect(await traces(id)).toEqual([]);
    await runEnds(harness, id);
    expect((await user.look()).text).toContain('This request was cancelled');
    expect(await harness.rows`select 1 from events where verification_id = ${id}`).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('is erased once: a second erasure gets the same answer and leaves one line', async () => {
    const { id } = await started();
    const [first, second] = [await erase(id, live.key), await erase(id, live.key)];
    expect([second.status, second.text]).toEqual([200, first.text]);
    const lines = await harness.rows<{ data: Record<string, unknown> }>`
      select data from ledger where subject_id = ${id} and type = 'verification.erased'`;
    expect(lines).toMatchObject([{ data: { kinds: ['passport_page'], event_bodies: 0 } }]);
  });

  test('is erased once by several callers at the same time, who all get the same answer', async () => {
    const { id } = await started();
    const row = await holdRow(harness, 'verifications', id);
    const byKeys = [1, 2, 3].map(() => erase(id, live.key));
    const byOperator = eraseByOperator(harness, id);
    await vi.waitFor(async () => expect(await waitingForLocks(harness)).toBeGreaterThan(2), 10_000);
    await row.release();
    const answers = await Promise.all(byKeys);
    for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]?.text]);
    const lines = await harness.rows<{ data: { actor: { kind: string } } }>`
      select data from ledger where subject_id = ${id} and type = 'verification.erased'`;
    expect(lines).toHaveLength(1);
    expect(lines[0]?.data.actor.kind).toBe((await byOperator) ? 'operator' : 'key');
    expect(await traces(id)).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('keeps nothing of pictures that arrive at the same time', async () => {
    const rounds = Array.from({ length: 4 }, async () => {
      const { id, user } = await started();
      const page = await user.take('passport_page');
      const form = await pictureForm(await anyPicture(), 'again.jpg');
      await Promise.all([user.press('picture', form, page), erase(id, live.key)]);
      expect(await traces(id)).toEqual([]);
    });
    await Promise.all(rounds);
  });

  test('keeps nothing of a picture that arrives while it is being erased', async () => {
    const { id, user } = await started();
    const [erased, page] = await inOrder(
      harness,
      () => erase(id, live.key),
      async () => user.upload('passport_page', await anyPicture()),
    );
    expect(erased.status).toBe(200);
    expect(page.text).toContain('This request was cancelled');
    expect(await traces(id)).toEqual([]);
  });

  test('keeps nothing of a picture that was being stored when the erasure came', async () => {
    const { id, user } = await started();
    const [, erased] = await inOrder(
      harness,
      async () => user.upload('passport_page', await anyPicture()),
      () => erase(id, live.key),
      'evidence',
    );
    expect(erased.status).toBe(200);
    expect(await traces(id)).toEqual([]);
    expect((await user.look()).text).toContain('This request was cancelled');
  });

  test('keeps no address of a person who presses Start while it is being erased', async () => {
    const { json } = await create(live.key);
    // Otherwise the run, which has not begun yet, is what waits for the row.
    await untilAsleep(harness, json.id);
    const user = person(harness, json.verify_url);
    const page = await user.look();
    let pressed: Promise<unknown> | undefined;
    const operator = callerOfOperator({ orgId: live.organisationId, environment: 'live' });
    await harness.store.transaction(async (tx) => {
      await eraseInRows({ tx }, operator, { id: json.id, requestId: null });
      pressed = user.press('start', { body: consented }, page);
      await vi.waitFor(async () => expect(await waitingForLocks(harness)).toBeGreaterThan(0), 10_000);
    });
    await pressed;
    expect(
      await harness.rows`select name, personal from commands where verification_id = ${json.id}`,
    ).toEqual([]);
    expect(await traces(json.id)).toEqual([]);
    expect((await user.look()).text).toContain('This request was cancelled');
  });

  test('is erased while its run begins again, which reads its request too', async () => {
    const { json } = await create(live.key);
    await untilAsleep(harness, json.id);
    const ref = { orgId: live.organisationId, environment: 'live' } as const;
    let begun: Promise<unknown> | undefined;
    await harness.store.transaction(async (tx) => {
      const operator = callerOfOperator(ref);
      await verificationsOf(operator.scope, tx).lock(json.id);
      begun = recordVerification(harness.ctx, { ...ref, verificationId: json.id });
      await vi.waitFor(async () => expect(await waitingForLocks(harness)).toBeGreaterThan(0), 10_000);
      await eraseInRows({ tx }, operator, { id: json.id, requestId: null });
    });
    expect(await begun).toMatchObject({ status: 'pending', linkLeftMs: 0 });
    expect(await traces(json.id)).toEqual([]);
  });

  test('while its checks run gets no verdict, and its run ends', async () => {
    const gate = Promise.withResolvers<void>();
    reader.gate = gate.promise;
    const { id, user } = await started();
    await user.submit();
    expect((await erase(id, live.key)).status).toBe(200);
    gate.resolve();
    await runEnds(harness, id);
    expect(await read(id, live.key)).toMatchObject({ status: 'in_progress', verdict: null, reference: null });
    expect(await traces(id)).toEqual([]);
  });

  test('in sandbox can still be completed, with an event that names nobody', async () => {
    const { json } = await create(sandbox.key, { body: { sandbox: { auto_complete: false } } });
    await erase(json.id, sandbox.key);
    const completed = await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, {
      key: sandbox.key,
    });
    expect(completed.json).toMatchObject({ status: 'completed', reference: null });
    expect(await traces(json.id)).toEqual([]);
  });
});

describe('a completed verification', () => {
  test('keeps verdict and history, and a later attempt sends the event without the reference', async () => {
    const receiver = await startReceiver({ status: 500 }, { status: 200 });
    const body = { url: receiver.url };
    const hook = await call(harness, 'POST', '/v1/webhooks', { key: sandbox.key, body });
    const { json } = await create(sandbox.key);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(String(receiver.received[0]?.body)).toContain(marker);
    const erased = await erase(json.id, sandbox.key);
    expect(erased.json).toEqual({ ...json, reference: null });
    expect(await traces(json.id)).toEqual([]);
    const deliveries = `/v1/webhooks/${hook.json.id}/deliveries`;
    const { json: list } = await call(harness, 'GET', deliveries, { key: sandbox.key });
    await call(harness, 'POST', `${deliveries}/${list.data[0].id}/resend`, { key: sandbox.key });
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(1);
    const sent = JSON.parse(String(receiver.received[1]?.body));
    expect(sent.data).toMatchObject({ verification_id: json.id, reference: null, outcome: 'approved' });
    expect(sent.id).toBe(JSON.parse(String(receiver.received[0]?.body)).id);
    expect(await faults()).toEqual([]);
  });
});

test('the key of the create stays bound: a repeat gets 201 with the verification as it is now', async () => {
  const headers = { 'idempotency-key': 'erased later' };
  const { json } = await create(sandbox.key, { headers });
  await erase(json.id, sandbox.key);
  const again = await create(sandbox.key, { headers });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(again.json).toEqual({ ...json, reference: null });
  const other = await create(sandbox.key, { headers, body: { reference: 'another' } });
  expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_key_reused']);
});

test('a repeat of a cancellation under its key does not bring the reference back', async () => {
  const { json } = await create(live.key);
  const ask = () =>
    call(harness, 'POST', `/v1/verifications/${json.id}/cancel`, {
      ...{ key: live.key, headers: { 'idempotency-key': 'cancelled, then erased' } },
    });
  expect((await ask()).json.reference).toBe(marker);
  await erase(json.id, live.key);
  const again = await ask();
  expect([again.status, again.json.reference]).toEqual([200, null]);
});

test.each([200, 500])(
  'a receiver that answers %i during the erasure has nothing stored of its answer',
  async (status) => {
    const own = await harness.key({ org: `answers ${status}` });
    const gate = Promise.withResolvers<void>();
    const receiver = await startReceiver({ status, body: marker, until: gate.promise });
    await call(harness, 'POST', '/v1/webhooks', { key: own.key, body: { url: receiver.url } });
    const { json } = await create(own.key);
    await receiver.waitFor(1);
    const operator = callerOfOperator({ orgId: own.organisationId, environment: 'sandbox' });
    const attempts = () => harness.rows`
    select outcome, response_status as status, answer, heads from delivery_attempts
    join deliveries on deliveries.id = delivery_id join events on events.id = event_id
    where verification_id = ${json.id} and number = 1`;
    const outcome = status === 200 ? 'delivered' : 'failed';
    await harness.store.transaction(async (tx) => {
      await eraseInRows({ tx }, operator, { id: json.id, requestId: null });
      gate.resolve();
      await vi.waitFor(async () => expect(await waitingForLocks(harness)).toBeGreaterThan(0), 10_000);
    });
    await expect
      .poll(attempts, { timeout: 10_000 })
      .toEqual([{ outcome, status, answer: null, heads: null }]);
  },
);

test('whoever has the database cannot confirm a guess of what was asked, before and after an erasure', async () => {
  const headers = { 'idempotency-key': 'guessed' };
  const asked = { method: 'document_only', reference: marker };
  const guess = sha256(`POST /v1/verifications ${canonicalJson(asked)}`);
  const [bound, free] = [await create(sandbox.key, { headers }), await create(sandbox.key)];
  const stored = async (id: string) =>
    (await harness.rows<{ fingerprint: Buffer }>`select fingerprint from requests where id = ${id}`)[0]
      ?.fingerprint;
  expect(await stored(free.json.id)).toEqual(Buffer.alloc(0));
  for (const step of ['before', 'after']) {
    const fingerprint = await stored(bound.json.id);
    expect(fingerprint?.length, step).toBeGreaterThan(guess.length);
    expect(fingerprint?.includes(guess), step).toBe(false);
    await erase(bound.json.id, sandbox.key);
  }
});
