import { describe, expect, test } from 'vitest';
import { inspectHistory } from '#services/inspection/history.ts';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { operatorsOf } from './operators-command.ts';

/** What an operator sees of everything, and the endpoint that only the operator resumes. */

const harness = await startHarness();
const { url } = await harness.startConsole();
const operators = operatorsOf(harness);
const queued = (endpointId: string) =>
  harness.rows`select 1 from deliveries where endpoint_id = ${endpointId} and queued_at is not null`;

test('one table says what is open and how old it is, and one line each organisation', async () => {
  await harness.key({ org: 'Paused' });
  await harness.settings({ paused: true }, 'Paused');
  const partner = await startPartner(harness, { org: 'Busy' });
  await partner.ask('POST', '/verifications', { method: 'document_only', sandbox: { auto_complete: false } });
  const { exit, stdout } = await operators();
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^open workflows verification +[1-9]/m);
  expect(stdout).toMatch(/^deliveries due +0 +0 s$/m);
  expect(stdout).toMatch(/^data past their time, evidence +0 +0 s$/m);
  expect(stdout).toMatch(/^Busy +\S{36} +active +1 +0 +0 +0$/m);
  expect(stdout).toMatch(/^Paused +\S{36} +PAUSED +0 +0 +0 +0$/m);
  const { organisations, deliveries } = JSON.parse((await operators('--json')).stdout);
  expect(organisations).toContainEqual({
    ...{ id: partner.organisationId, name: 'Busy', paused: false, endpoints: 1, paused_endpoints: 0, due: 0 },
    queued: 0,
  });
  expect(deliveries).toEqual({
    waiting: 0,
    due: 0,
    overdue: 0,
    queued: 0,
    oldest_due_seconds: 0,
    oldest_queued_seconds: 0,
  });
});

describe('an endpoint that the operator pauses', () => {
  test('holds its events; a member cannot resume it, and the operator can', async () => {
    const partner = await startPartner(harness, { org: 'Held' });
    const developer = await joins(harness, url, { org: 'Held', role: 'developer' });
    const { id } = partner.endpoint;
    expect((await operators('--pause-endpoint', id)).stdout).toContain('paused. Its deliveries wait');
    await partner.ask('POST', '/verifications', { method: 'document_only' });
    await expect.poll(() => queued(id)).toHaveLength(1);
    expect((await developer.visitor.get(partner.path)).html).toContain('paused by the operator');
    const answer = await developer.visitor.submit(partner.path, `${partner.path}/resume`);
    expect(answer.location).toBe(`${partner.path}?notice=paused_by_operator`);
    expect((await operators()).stdout).toMatch(/^Held +\S{36} +active +1 +1 +0 +1$/m);
    expect(partner.receiver.received).toEqual([]);

    expect((await operators('--resume-endpoint', id)).stdout).toContain('resumed. What waits is sent');
    await partner.receiver.waitFor(1, 60_000);
    const lines = await harness.rows`
      select type, data -> 'actor' ->> 'kind' as by from ledger
      where subject_id = ${id} and type <> 'webhook.created' order by sequence`;
    expect(lines).toEqual([
      { type: 'webhook.paused', by: 'operator' },
      { type: 'webhook.resumed', by: 'operator' },
    ]);
    const faults: unknown[] = [];
    await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => faults.push(fault));
    expect(faults).toEqual([]);
  });
});
