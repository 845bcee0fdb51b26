import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { operatorsOf } from './operators-command.ts';

/** More of the operator's command: who paused what, and what is refused. */

const harness = await startHarness();
const { url } = await harness.startConsole();
const operators = operatorsOf(harness);
const queued = (endpointId: string) =>
  harness.rows`select 1 from deliveries where endpoint_id = ${endpointId} and queued_at is not null`;

test('while Temporal does not answer, the rest is told', async () => {
  const { exit, stdout, stderr } = await operatorsOf(harness, { TEMPORAL_ADDRESS: '127.0.0.1:1' })();
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^open workflows +not known$/m);
  expect(stdout).toMatch(/^deliveries due +\d+ /m);
});

test('stays paused for a member who paused it before, until that member resumes it', async () => {
  const partner = await startPartner(harness, { org: 'Both' });
  const developer = await joins(harness, url, { org: 'Both', role: 'developer' });
  const { id } = partner.endpoint;
  await developer.visitor.submit(partner.path, `${partner.path}/pause`);
  await operators('--pause-endpoint', id);
  expect((await operators('--resume-endpoint', id)).stdout).toContain('still paused, by a member');
  await partner.ask('POST', '/verifications', { method: 'document_only' });
  await expect.poll(() => queued(id)).toHaveLength(1);
  const answer = await developer.visitor.submit(partner.path, `${partner.path}/resume`);
  expect(answer.location).toBe(`${partner.path}?notice=resumed`);
  await partner.receiver.waitFor(1, 60_000);
});

test.each([
  [['--pause-endpoint', 'x'], 64, 'Give the id of one endpoint.'],
  [['--pause-endpoint', '00000000-0000-7000-8000-000000000000'], 69, 'webhook'],
  [['--json', '--resume-endpoint', '00000000-0000-7000-8000-000000000000'], 64, 'Usage'],
  [['--all'], 64, 'Usage'],
])('%s is refused with a reason', async (args, exit, reason) => {
  const refused = await operators(...args);
  expect([refused.exit, refused.stderr]).toEqual([exit, expect.stringMatching(new RegExp(reason, 'i'))]);
});
