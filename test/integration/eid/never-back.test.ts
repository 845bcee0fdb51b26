import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { startHarness } from '#test/support/harness.ts';
import { bankFlow } from '#test/support/people/bank-flow.ts';
import { atBank, press, simulatedBanks } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { timersOf } from '#test/support/rows/runs.ts';
import { skipTime, whyNoTimeSkipping } from '#test/support/servers/time-skipping.ts';

/** A person confirms at the bank and closes the browser. No return, no sweep and no signal: only the timer of the run is left. */

const { banks, agree } = await simulatedBanks();
const harness = await startHarness({ banks });
const partner = await startPartner(harness, { org: 'Acme', environment: 'live' });
await agree(harness.ctx, 'Acme');
const { started, completed, oneOfEach } = bankFlow(harness, partner);

test('the bank is asked ten seconds after the five minutes, and the person is approved', async ({ skip }) => {
  const whyNot = await whyNoTimeSkipping(harness.temporal);
  skip(whyNot !== undefined, whyNot);
  const { id, user } = await started();
  await press(await atBank(user), { choice: 'success', persona: 'plain' });
  const workflowId = verificationWorkflowId(id);
  await expect
    .poll(() => timersOf(harness, id))
    .toContainEqual(expect.toSatisfy((seconds: number) => seconds > 305 && seconds <= 310, 'about 5:10'));
  const asks = () =>
    harness.rows`select asks, returned_at from eid_transactions where verification_id = ${id}`;
  expect(await asks()).toEqual([{ asks: 0, returned_at: null }]);
  // The clock of the run jumps to the end of its timer. That of the database does not, so the row is due now.
  await harness.rows`update eid_transactions set next_ask_at = now() where verification_id = ${id}`;
  await skipTime(harness.temporal, workflowId);
  expect((await completed(id)).verdict).toMatchObject({
    ...{ outcome: 'approved', assurance_level: 'substantial' },
  });
  expect(await asks()).toEqual([{ asks: 1, returned_at: null }]);
  await oneOfEach(id);
});
