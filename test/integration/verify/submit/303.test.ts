import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, test } from 'vitest';
import type { DocumentEngine } from '#activities/checks/port.ts';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { restartLostSubmissions } from '#services/flow/restart.ts';
import { call, type Harness, harnessOfFile } from '#test/support/harness.ts';
import { anyPicture, person } from '#test/support/person.ts';

/** Fails as long as it is told to. */
const engine = { failing: false, checked: 0 };
const documents: DocumentEngine = {
  async check() {
    if (engine.failing) throw new Error('geheim: what was read on the document');
    engine.checked += 1;
    return [
      { kind: 'document_integrity', result: 'not_applicable', confidence: 0 },
      { kind: 'document_expiry', result: 'failed', confidence: 0.99 },
      { kind: 'mrz_check_digits', result: 'passed', confidence: 0.99 },
      { kind: 'data_consistency', result: 'passed', confidence: 0.99 },
    ];
  },
  close: async () => undefined,
};
const harness = await harnessOfFile({ documents });
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
const linesOf = async (id: string) =>
  (
    await harness.store.db
      .selectFrom('ledger')
      .select('type')
      .where('subjectId', '=', id)
      .orderBy('sequence')
      .execute()
  ).map(({ type }) => type);

/** The workflow, once its checks have failed for the first time. */
const failedOnce = async (id: string) => {
  const workflow = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
  const failure = async () => (await workflow.describe()).raw.pendingActivities?.[0]?.lastFailure?.message;
  await expect.poll(failure).toBe('internal_error');
  return workflow;
};

test('with something lacking nothing is sent', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const path = new URL(json.verify_url).pathname;
  await call(harness, 'POST', `${path}/submit`);
  await person(harness, json.verify_url).start();
  await call(harness, 'POST', `${path}/submit`);
  expect(await linesOf(json.id)).toEqual(['verification.created', 'verification.started']);
});

test('pressed many times at once, there is one submission, one check and one verdict', async () => {
  const { id, user } = await ready();
  const before = engine.checked;
  const page = await user.look();
  await Promise.all(Array.from({ length: 6 }, () => user.press('submit', {}, page)));
  await completed(id);
  expect(engine.checked - before).toBe(1);
  expect((await linesOf(id)).slice(2)).toEqual(['verification.submitted', 'verification.completed']);
});

test('what a check is certain of rejects, in words of the catalogue', async () => {
  const { id, user } = await ready();
  await user.submit();
  await completed(id);
  expect((await read(id)).verdict).toEqual({
    outcome: 'rejected',
    assurance_level: 'low',
    reasons: ['The document has expired.'],
    reviewed: false,
  });
});

test('checks that fail for a time are made again, and Temporal learns nothing of what they read', async () => {
  const { id, user } = await ready();
  engine.failing = true;
  await user.submit();
  const workflow = await failedOnce(id);
  expect((await user.look()).text).toContain('Thank you');
  engine.failing = false;
  await completed(id);
  const history = JSON.stringify([
    historyToJSON(await workflow.fetchHistory()),
    (await workflow.describe()).raw,
  ]);
  expect(history).not.toContain('geheim');
  expect(history.replaceAll(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data) => atob(data))).not.toMatch(
    /geheim|JFIF|verify\.partner-test/,
  );
});

test('a workflow that is lost after the submission is started again by the sweep, and finds its verdict', async () => {
  const { id, user } = await ready();
  engine.failing = true;
  await user.submit();
  await (await failedOnce(id)).terminate('by hand');
  engine.failing = false;
  const later = { ...harness.ctx.clock, now: () => new Date(Date.now() + 121_000) };
  expect(await restartLostSubmissions(harness.ctx)).toBe(0);
  expect(await restartLostSubmissions({ ...harness.ctx, clock: later })).toBe(1);
  await completed(id);
  expect(await restartLostSubmissions({ ...harness.ctx, clock: later })).toBe(0);
  expect((await linesOf(id)).slice(2)).toEqual(['verification.submitted', 'verification.completed']);
});

test('pictures that are gone by then leave the document to a person', async () => {
  const { id, user } = await ready();
  engine.failing = true;
  await user.submit();
  await failedOnce(id);
  await harness.store.db.deleteFrom('evidence').where('verificationId', '=', id).execute();
  engine.failing = false;
  await completed(id);
  expect((await read(id)).verdict).toMatchObject({ outcome: 'review', reviewed: false });
});
