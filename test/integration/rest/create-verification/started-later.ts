import { expect } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { createTemporalClient } from '#platform/temporal-client.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { createStartSweep } from '#services/flow/restart.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, type Harness } from '#test/support/harness.ts';

/** A client of a Temporal at an address where nobody listens. It closes after the last test of the file. */
export async function temporalNowhere({ ctx: { secrets } }: Pick<Harness, 'ctx'>) {
  const namespace = 'default';
  const address = '127.0.0.1:9';
  const nowhere = await lazyConnection({ address, namespace, tls: undefined, apiKey: undefined }, address);
  atTheEnd(() => nowhere.close());
  return createTemporalClient(nowhere, { namespace, secrets });
}

/** What Temporal says of the run of a verification, or `none`. */
export const runOf = ({ temporal }: Pick<Harness, 'temporal'>, id: string): Promise<string> =>
  temporal.workflow
    .getHandle(verificationWorkflowId(id))
    .describe()
    .then(
      ({ status }) => status.name,
      () => 'none',
    );

/** Creates so many verifications at an API whose Temporal is away, and has the sweep start their runs later. */
export async function expectStartedLater({
  harness,
  url,
  key,
  count,
}: {
  harness: Harness;
  url: string;
  key: string;
  count: number;
}): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => call({ url }, 'POST', '/v1/verifications', { key, body: {} })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const ids = answers.map(({ json }) => json.id as string);
  const runs = () => Promise.all(ids.slice(0, 5).map((id) => runOf(harness, id)));
  expect(await runs()).toEqual(Array(5).fill('none'));
  const stored = await harness.rows`
    select 1 from verifications where id = any(${ids}) and run_due_since = created_at`;
  expect(stored).toHaveLength(count);

  await harness.rows`
    update verifications set run_due_since = now() - interval '3 min' where id = any(${ids})`;
  await harness.startWorker();
  const sweep = createStartSweep(harness.ctx);
  expect(await sweep(new AbortController().signal)).toEqual({ found: count, failed: 0 });
  const due = () =>
    harness.rows`select 1 from verifications where id = any(${ids}) and run_due_since is not null`;
  await expect.poll(due).toEqual([]);
  expect(await runs()).toEqual(Array(5).fill('RUNNING'));
  expect(await sweep(new AbortController().signal)).toEqual({ found: 0, failed: 0 });
  await harness.stopWorker();
}
