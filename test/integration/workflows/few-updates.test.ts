import { expect, test } from 'vitest';
import { deliveryWorkflowId, searchAttributes, verificationWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';

/** An update of a search attribute is an event of the history and a write of the index, so a run makes one only where a value changes. */

const harness = await startHarness();
const partner = await startPartner(harness);

async function seen(workflowId: string) {
  const handle = harness.temporal.workflow.getHandle(workflowId);
  const { events = [] } = await handle.fetchHistory();
  const { typedSearchAttributes } = await handle.describe();
  return {
    updates: events?.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes).length,
    status: typedSearchAttributes.get(searchAttributes.verificationStatus),
  };
}
const create = async (body: object) =>
  (await call(harness, 'POST', '/v1/verifications', { key: partner.key, body })).json;

test('a run that waits has its status from its start, and updates it once for each change', async () => {
  const { id, verify_url } = await create({ sandbox: { auto_complete: false } });
  const run = () => seen(verificationWorkflowId(id));
  await expect.poll(run).toEqual({ updates: 0, status: 'pending' });
  await person(harness, verify_url).start();
  await expect.poll(run).toEqual({ updates: 1, status: 'in_progress' });
  await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key: partner.key });
  await expect.poll(run).toEqual({ updates: 2, status: 'completed' });
});

test('a run that completes at once makes one, and so does the delivery of its event', async () => {
  const { id } = await create({});
  await expect.poll(() => seen(verificationWorkflowId(id))).toEqual({ updates: 1, status: 'completed' });
  const [delivery] = await harness.rows<{ id: string }>`
    select deliveries.id from deliveries join events on events.id = event_id where verification_id = ${id}`;
  await expect
    .poll(async () => (await seen(deliveryWorkflowId(delivery?.id ?? ''))).updates, { timeout: 10_000 })
    .toBe(1);
});
