import { expect } from 'vitest';
import { createStartSweep } from '#services/flow/restart.ts';
import { call, type Harness } from '#test/support/harness.ts';
import { runStatusOrNone } from '#test/support/rows/runs.ts';

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
  const runs = () => Promise.all(ids.slice(0, 5).map((id) => runStatusOrNone(harness, id)));
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
