import { expect, test } from 'vitest';
import { callerOfOperator } from '#services/caller.ts';
import { type HistoryLine, historyOf } from '#services/verifications/history.ts';
import { startHarness } from '#test/support/harness.ts';
import { temporalNowhere } from '#test/support/nowhere.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';

const harness = await startHarness();
const partner = await startPartner(harness);
const caller = callerOfOperator({ orgId: partner.organisationId, environment: 'sandbox' });
const { ctx } = harness;

const pending = async () =>
  (await partner.ask('POST', '/verifications', { sandbox: { auto_complete: false } })).json;

/** The lines as short texts, without times. */
const shortOf = (line: HistoryLine): string => {
  if (line.source === 'ledger') return `ledger ${line.line.type}`;
  if (line.source === 'event') return `event ${line.event.type}`;
  if (line.source === 'attempt') return `attempt ${line.attempt.number} ${line.attempt.responseStatus}`;
  return `workflow ${line.step.kind} ${line.step.name ?? ''}`.trim();
};

test('ledger, events, attempts and the steps of the workflow stand on one time line', async () => {
  const { id, verify_url } = await pending();
  await person(harness, verify_url).start();
  await partner.ask('POST', `/verifications/${id}/complete`, {});
  await expect
    .poll(async () => (await historyOf(ctx, caller, { id })).lines.map(shortOf))
    .toEqual(expect.arrayContaining(['attempt 1 200', 'workflow run_completed']));
  const { lines, workflowSeen, deliveries } = await historyOf(ctx, caller, { id });
  expect(workflowSeen).toBe(true);
  expect(deliveries).toHaveLength(1);
  const short = lines.map(shortOf);
  for (const wanted of [
    ...['ledger verification.created', 'ledger verification.started', 'ledger verification.completed'],
    ...['workflow run_started', 'workflow order_accepted start', 'workflow order_carried_out complete'],
    ...['workflow activity_in_task recordVerification', 'event verification.completed'],
  ])
    expect(short).toContain(wanted);
  const times = lines.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(short.indexOf('ledger verification.created')).toBeLessThan(short.indexOf('attempt 1 200'));
});

test('a run that was ended and begun again is shown with both', async () => {
  const { id } = await pending();
  await harness.ctx.temporal.endVerification(id, 'a test');
  await partner.ask('POST', `/verifications/${id}/complete`, {});
  await expect
    .poll(async () => (await historyOf(ctx, caller, { id })).lines.map(shortOf))
    .toEqual(expect.arrayContaining(['workflow run_terminated', 'workflow run_completed']));
});

test('without Temporal the rows are shown, and that the steps are missing', async () => {
  const { id } = await pending();
  const temporal = await temporalNowhere(harness);
  const { lines, workflowSeen } = await historyOf({ ...ctx, temporal }, caller, { id });
  expect(workflowSeen).toBe(false);
  expect(lines.map(shortOf)).toEqual(['ledger verification.created']);
});

test('a verification of another organisation is unknown', async () => {
  const other = await startPartner(harness);
  const { id } = await pending();
  const foreign = callerOfOperator({ orgId: other.organisationId, environment: 'sandbox' });
  await expect(historyOf(ctx, foreign, { id })).rejects.toMatchObject({
    code: 'verification_not_found',
  });
});
