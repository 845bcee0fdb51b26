import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { atTheEnd } from '#test/support/at-the-end.ts';
import type { Pages } from '#test/support/documents/alerts.ts';
import { startWatched, valueIn } from './alert-stack.ts';

/** Rules of alerts.yml that ring by deliveries, by a worker that is behind, and by a contract with a bank. */

/** How the receiver answers. One event in four is accepted in the second way, so that its endpoint does not count as one that keeps failing. */
let answers: 'refuses' | 'asks to come later' | 'hangs' = 'refuses';
const release = Promise.withResolvers<void>();
atTheEnd(async () => release.resolve());
const watched = await startWatched({ WEBHOOK_ATTEMPTS_PER_ENDPOINT: '2' }, (received) => {
  if (answers === 'hangs') return { status: 200, until: release.promise };
  if (answers === 'refuses') return { status: 500 };
  return received.length % 4 === 0 ? { status: 200 } : { status: 500, headers: { 'retry-after': '15' } };
});
const { stack, pages, pagesWhen, ringing } = watched;

/** How long work waits while the worker stands still. The rule allows a second. */
const waitedMs = 3_000;

ringing('BankCertificateEnds', 'a contract whose certificate ends in 20 days', async (monitor) => {
  await watched.agree(20);
  const ending = await pagesWhen((all) => valueIn(all, 'eid_certificate_left_seconds') < 21 * 86_400);
  return monitor.watch(ending, 1);
});

ringing('BankListOld', 'an acquirer that has named no banks for 28 hours', async (monitor) => {
  await watched.agree(40);
  await stack.rows`update eid_contracts set issuers_at = now() - interval '28 hours'`;
  const old = await pagesWhen((all) => valueIn(all, 'eid_bank_list_age_seconds') > 27 * 3_600);
  return monitor.watch(old, 1);
});

ringing('DeliveriesGivenUp', 'a resent event that its receiver refuses', async (monitor) => {
  await stack.create();
  await pagesWhen((all) => valueIn(all, 'webhook_attempts_total', { outcome: 'http_status' }) > 0);
  const [sent] = await stack.rows<{ id: string; endpointId: string }>`
    select id, endpoint_id as "endpointId" from deliveries limit 1`;
  const resend = `/v1/webhooks/${sent?.endpointId}/deliveries/${sent?.id}/resend`;
  expect((await stack.post(resend, {})).status).toBe(202);
  const givenUp = await pagesWhen(
    (all) => valueIn(all, 'webhook_deliveries_settled_total', { status: 'failed' }) > 0,
  );
  return monitor.watch(givenUp, 1);
});

ringing('MostAttemptsFail', 'a receiver that refuses every event', async (monitor) => {
  const failed = (all: Pages) => valueIn(all, 'webhook_attempts_total', { outcome: 'http_status' });
  return watched.repeated(monitor, 'MostAttemptsFail', {
    minutes: 10,
    cause: async () => {
      const before = failed(await pages());
      await Promise.all(stack.createMany(5).answers);
      return pagesWhen((all) => failed(all) >= before + 5);
    },
  });
});

ringing('DeliveriesNotTakenUp', 'a delivery whose attempt cannot be recorded', async (monitor) => {
  const { id } = (await stack.create()).json;
  const ofEvent = sql`event_id in (select id from events where verification_id = ${id})`;
  const delay = () => stack.rows`
    update deliveries set next_attempt_at = now() - interval '6 minutes'
    where status = 'retrying' and ${ofEvent} returning id`;
  await expect.poll(delay).toHaveLength(1);
  const waiting = await stack.store.transaction(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await sql`select from deliveries where ${ofEvent} for update`.execute(tx);
    return pagesWhen((all) => valueIn(all, 'webhook_deliveries_oldest_due_seconds') > 300);
  });
  return monitor.watch(waiting, 3);
});

ringing('QueueBehind', 'a worker that stands still while work waits', async (monitor) => {
  const [endpoint] = await stack.rows<{ id: string }>`select id from webhook_endpoints`;
  const tasks = (all: Pages) =>
    valueIn(all, 'temporal_workflow_task_schedule_to_start_latency_seconds_count');
  return watched.repeated(monitor, 'QueueBehind', {
    minutes: 3,
    cause: async () => {
      const before = tasks(await pages());
      stack.worker.signal('SIGSTOP');
      try {
        // An answer comes when the workflow is started. These are more than the worker asks for at once.
        const tests = Array.from({ length: 40 }, () => stack.post(`/v1/webhooks/${endpoint?.id}/test`, {}));
        for (const { status } of await Promise.all(tests)) expect(status).toBe(202);
        await pause(waitedMs);
      } finally {
        stack.worker.signal('SIGCONT');
      }
      return pagesWhen((all) => tasks(all) >= before + 40);
    },
  });
});

ringing('RetriesDeferred', 'retries that come to a receiver which hangs', async (monitor) => {
  const failed = (all: Pages) => valueIn(all, 'webhook_attempts_total', { outcome: 'http_status' });
  const before = failed(await pages());
  answers = 'asks to come later';
  await Promise.all(stack.createMany(120).answers);
  await pagesWhen((all) => failed(all) >= before + 60);
  answers = 'hangs';
  const deferredSeconds = (all: Pages) => valueIn(all, 'webhook_deferred_seconds_total');
  return watched.repeated(monitor, 'RetriesDeferred', {
    // Shorter than the range of the rule, so that each range has an increase.
    minutes: 8,
    cause: async () => {
      const earlier = deferredSeconds(await pages());
      return pagesWhen((all) => deferredSeconds(all) >= earlier + 330);
    },
  });
});
