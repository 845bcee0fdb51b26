import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { verificationWorkflowId } from '#contract/workflows.ts';
import type { Clock } from '#platform/clock.ts';
import { acceptsEvidence } from '#services/flow/evidence.ts';
import { recordSubmission } from '#services/flow/record.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { sweepRunsEveryMs } from '#services/runs/restart-runs.ts';
import { scopeOfWorkflow } from '#store/database/scope.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { call, type Harness, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { storedOf } from '../stored.ts';

const reader = { failing: false, failed: 0, checked: 0, gate: Promise.resolve() };
/** Waits until `reader.gate` resolves, then fails if `reader.failing` is true. */
const documents: DocumentReader = {
  async check() {
    await reader.gate;
    if (reader.failing) {
      reader.failed += 1;
      throw new Error('geheim: what was read on the document');
    }
    reader.checked += 1;
    return {
      read: null,
      checks: [
        { kind: 'document_integrity', result: 'not_applicable', confidence: 0 },
        { kind: 'document_expiry', result: 'failed', confidence: 0.99 },
        { kind: 'mrz_check_digits', result: 'passed', confidence: 0.99 },
        { kind: 'data_consistency', result: 'passed', confidence: 0.99 },
      ],
    };
  },
  close: async () => undefined,
};
const harness = await startHarness({ documents });
const stored = storedOf(harness);
const { key } = await harness.key({ environment: 'live' });

const ready = async (own: Harness = harness) => {
  const { json } = await call(own, 'POST', '/v1/verifications', { key, body: { method: 'document_only' } });
  const user = person(own, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user };
};
const read = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
const completed = (id: string) =>
  expect.poll(async () => (await read(id)).status, { timeout: 30_000 }).toBe('completed');

/** Submits while the reader fails, and returns the workflow after its first failure. */
const submitToFail = async ({ id, user }: Awaited<ReturnType<typeof ready>>) => {
  const before = reader.failed;
  reader.failing = true;
  await user.submit();
  await expect.poll(() => reader.failed).toBeGreaterThan(before);
  return harness.temporal.workflow.getHandle(verificationWorkflowId(id));
};

test('while evidence is missing nothing is sent', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const path = new URL(json.verify_url).pathname;
  await call(harness, 'POST', `${path}/submit`);
  await person(harness, json.verify_url).start();
  await call(harness, 'POST', `${path}/submit`);
  expect(await stored.lines(json.id)).toEqual(['verification.created', 'verification.started']);
});

test('pressing Send many times at once makes one submission, one check and one verdict', async () => {
  const { id, user } = await ready();
  const before = reader.checked;
  const page = await user.look();
  await Promise.all(Array.from({ length: 6 }, () => user.press('submit', {}, page)));
  await completed(id);
  expect(reader.checked - before).toBe(1);
  await untilMasked(harness.rows, id);
  expect((await stored.lines(id)).slice(2)).toEqual([
    'verification.submitted',
    'verification.completed',
    'evidence.masked',
  ]);
});

test('a check that failed for certain goes to a person, with a reason of the catalogue', async () => {
  const { id, user } = await ready();
  await user.submit();
  await completed(id);
  expect((await read(id)).verdict).toMatchObject({
    outcome: 'review',
    reasons: [
      'The document has expired.',
      'The document was not examined for genuineness; a person makes the final assessment.',
    ],
    reviewed: false,
  });
});

test.each(['machine_may_reject', 'machine_may_decide'] as const)(
  'under %s, a check that failed for certain rejects, with a reason of the catalogue',
  async (decisions) => {
    await harness.settings({ decisions });
    const { id, user } = await ready();
    await user.submit();
    await completed(id);
    await harness.settings({ decisions: 'people' });
    expect((await read(id)).verdict).toEqual({
      outcome: 'rejected',
      assurance_level: 'low',
      reasons: ['The document has expired.'],
      reviewed: false,
    });
  },
);

test('checks that fail for a time are made again, and Temporal learns nothing of what they read', async () => {
  const flow = await ready();
  const workflow = await submitToFail(flow);
  expect((await flow.user.look()).text).toContain('Thank you');
  reader.failing = false;
  await completed(flow.id);
  const history = JSON.stringify([
    historyToJSON(await workflow.fetchHistory()),
    (await workflow.describe()).raw,
  ]);
  expect(history).not.toContain('geheim');
  expect(history.replaceAll(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data) => atob(data))).not.toMatch(
    /geheim|JFIF|verify\.partner-test/,
  );
});

test('a run whose checks failed waits for its next try where the sweep sees it, and is left alone', async () => {
  const flow = await ready();
  const workflow = await submitToFail(flow);
  const pending = async () => (await workflow.describe()).raw.pendingActivities?.[0];
  await expect.poll(async () => (await pending())?.lastFailure?.message).toBe('tried_again_later');
  const next = Number((await pending())?.nextAttemptScheduleTime?.seconds) * 1_000;
  expect(next - Date.now()).toBeGreaterThan(0);
  const { runId } = await workflow.describe();
  const later = { ...harness.ctx.clock, now: () => new Date(Date.now() + 120_000) };
  const sweep = createSubmissionSweep({ ...harness.ctx, clock: later });
  expect(await sweep(new AbortController().signal)).toMatchObject({ failed: 0 });
  reader.failing = false;
  await completed(flow.id);
  expect((await workflow.describe()).runId).toBe(runId);
});

test('checks wait without end for a database that is away', async () => {
  const flow = await ready();
  await harness.rows`alter table evidence rename to evidence_away`;
  const rows = await harness.rows<{ org_id: string }>`
    update verifications set submitted_at = now() where id = ${flow.id} returning org_id`;
  const workflow = harness.temporal.workflow.getHandle(verificationWorkflowId(flow.id));
  await workflow.terminate('by hand');
  await harness.ctx.temporal.resumeVerification({
    ...{ verificationId: flow.id, orgId: String(rows[0]?.org_id) },
    ...{ environment: 'live', method: 'document_only', sandbox: null },
  });
  const pending = async () => {
    const { raw } = await harness.temporal.workflow.getHandle(verificationWorkflowId(flow.id)).describe();
    return raw.pendingActivities?.[0];
  };
  await expect.poll(async () => (await pending())?.lastFailure?.message).toBe('database_error');
  expect((await pending())?.maximumAttempts).toBe(0);
  await harness.rows`alter table evidence_away rename to evidence`;
  await completed(flow.id);
  expect((await read(flow.id)).verdict.reasons).toContain('The document has expired.');
});

test('a workflow that is lost after the submission is started again by a sweep of its first two minutes, and finds its verdict', async () => {
  const flow = await ready();
  const workflow = await submitToFail(flow);
  await workflow.terminate('by hand');
  reader.failing = false;
  const later = { ...harness.ctx.clock, now: () => new Date(Date.now() + 120_000 - sweepRunsEveryMs) };
  const sweep = (clock: Clock) =>
    createSubmissionSweep({ ...harness.ctx, clock })(new AbortController().signal);
  expect(await sweep(harness.ctx.clock)).toEqual({ found: 0, failed: 0 });
  expect(await sweep(later)).toEqual({ found: 1, failed: 0 });
  await completed(flow.id);
  expect(await sweep(later)).toEqual({ found: 0, failed: 0 });
  await untilMasked(harness.rows, flow.id);
  expect((await stored.lines(flow.id)).slice(2)).toEqual([
    'verification.submitted',
    'verification.completed',
    'evidence.masked',
  ]);
});

test('when the pictures are gone a person assesses the document', async () => {
  const flow = await ready();
  await submitToFail(flow);
  await harness.rows`delete from evidence where verification_id = ${flow.id}`;
  reader.failing = false;
  await completed(flow.id);
  expect((await read(flow.id)).verdict).toMatchObject({ outcome: 'review', reviewed: false });
});

describe('while the checks are made', () => {
  const gate = Promise.withResolvers<void>();
  beforeAll(() => {
    reader.gate = gate.promise;
  });
  afterAll(() => gate.resolve());

  test('no picture can be exchanged, and whoever sends again need not wait for them', async () => {
    const { id, user } = await ready();
    const page = await user.look();
    const form = await pictureForm(await anyPicture(1_300, 900), 'another.jpg');
    const takePage = await user.take('passport_page');
    const hashes = async () => (await stored.evidence(id)).map(({ sha256 }) => sha256?.toString('hex'));
    const before = await hashes();
    await user.submit();
    await user.press('picture', form, takePage);
    const scope = scopeOfWorkflow(await whoseOf(id));
    await harness.store.transaction(async (tx) => {
      const locked = await verificationsOf(scope, tx).lock(id);
      expect(locked && acceptsEvidence(locked)).toBe(false);
      expect(await evidenceOf(scope, tx, id).received()).toHaveLength(1);
    });
    expect(await hashes()).toEqual(before);

    const command = { requestId: 'req_again' };
    const { orgId } = await whoseOf(id);
    const verification = { verificationId: id, orgId, environment: 'live', method: 'document_only' } as const;
    const again = harness.ctx.temporal.command(verification, 'submit', command, Date.now() + 5_000);
    expect(await again).toEqual({ status: 'in_progress' });
    expect((await user.press('submit', {}, page)).text).toContain('Thank you');
    gate.resolve();
    await completed(id);
    await untilMasked(harness.rows, id);
    expect((await stored.lines(id)).slice(2)).toEqual([
      'verification.submitted',
      'verification.completed',
      'evidence.masked',
    ]);
  });
});

test('a submission is refused when the row lacks evidence, whatever the page has shown', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  await person(harness, json.verify_url).start();
  const order = { ...(await whoseOf(json.id)), verificationId: json.id, requestId: 'req_early' };
  expect(await recordSubmission(harness.ctx, order)).toMatchObject({ submitted: false });

  const { id } = await ready();
  await stored.expire(id);
  const late = { ...(await whoseOf(id)), verificationId: id, requestId: 'req_late' };
  expect(await recordSubmission(harness.ctx, late)).toMatchObject({ submitted: false, linkLeftMs: 0 });
});

test('pictures and submission wait for each other: the row is locked while either is written', async () => {
  const { id } = await ready();
  const scope = scopeOfWorkflow(await whoseOf(id));
  await harness.store.transaction(async (tx) => {
    await verificationsOf(scope, tx).lock(id);
    const second = harness.store.transaction((other) =>
      sql`select from verifications where id = ${id} for update nowait`.execute(other),
    );
    await expect(second).rejects.toMatchObject({ code: '55P03' });
  });
});

test('a row that was restored to before the submission gets no verdict, and its flow goes on', async () => {
  const flow = await ready();
  await submitToFail(flow);
  await harness.rows`update verifications set submitted_at = null where id = ${flow.id}`;
  reader.failing = false;
  const sentAgain = async () => {
    const { text } = await flow.user.look();
    if (!text.includes('Is everything right?')) return true;
    await flow.user.submit();
    return false;
  };
  await expect.poll(sentAgain).toBe(true);
  await completed(flow.id);
  expect((await stored.lines(flow.id)).filter((type) => type === 'verification.completed')).toHaveLength(1);
});

const whoseOf = (id: string) =>
  harness.store.db
    .selectFrom('verifications')
    .select(['orgId', 'environment', 'id as verificationId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
