import { expect, test, vi } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { createReviewSweep } from '#services/reviews/restart.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { atBank, press, simulatedBanks } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { runEnds } from '#test/support/rows/runs.ts';
import { anna, startOffice } from '../reviews/support.ts';
import { activitiesOf, courseOf, replays } from './replays.ts';

/** Branches that begin with a decision of a member, and with a visit to a bank. */

const { banks, agree } = await simulatedBanks();
const harness = await startHarness({ banks });

test('the history of a run that carries out a decision replays', async () => {
  const office = await startOffice(harness);
  const id = await office.inReview();
  await runEnds(harness, id);
  expect(await office.review(anna, id)).toMatchObject({ state: 'reviewed' });
  await runEnds(harness, id);
  const workflowId = verificationWorkflowId(id);
  expect(await courseOf(workflowId, harness)).toContain('workflowExecutionUpdateAccepted');
  await replays('verification-reviewed', workflowId, harness);
});

test('the history of a run that catches up with a decision whose order was lost replays', async () => {
  const office = await startOffice(harness);
  const id = await office.inReview();
  await runEnds(harness, id);
  expect(await office.storeOnly(anna, id)).toMatchObject({ state: 'stored' });

  const clock = { ...harness.ctx.clock, now: () => new Date(Date.now() + 120_000) };
  await createReviewSweep({ ...harness.ctx, clock })(new AbortController().signal);
  await expect.poll(async () => (await office.read(id)).verdict.reviewed).toBe(true);
  await runEnds(harness, id);
  const workflowId = verificationWorkflowId(id);
  expect(await courseOf(workflowId, harness)).not.toContain('workflowExecutionUpdateAccepted');
  await replays('verification-caught-up', workflowId, harness);
});

test('the history of a run whose person goes to a bank twice replays', async () => {
  const partner = await startPartner(harness, { org: 'Banks', environment: 'live' });
  await agree(harness.ctx, 'Banks');
  const { json } = await partner.ask('POST', '/verifications', { method: 'idin' });
  const user = person(harness, json.verify_url);
  await user.start();
  const visit = async (form: Record<string, string>) => {
    const { pathname, search } = await press(await atBank(user), form);
    await call(harness, 'GET', pathname + search);
  };
  await visit({ choice: 'cancel' });
  const says = async (text: string) => expect((await user.look()).text).toContain(text);
  await vi.waitFor(() => says('You stopped at your bank'), { timeout: 60_000, interval: 200 });
  await visit({ choice: 'success', persona: 'plain' });
  await runEnds(harness, json.id);
  const workflowId = verificationWorkflowId(json.id);
  const visits = (await activitiesOf(workflowId, harness)).filter((name) => name === 'visitBanks');
  expect(visits.length).toBeGreaterThanOrEqual(2);
  await replays('verification-visited-banks', workflowId, harness);
});
