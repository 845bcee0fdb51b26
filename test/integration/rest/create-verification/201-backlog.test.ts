import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { temporalNowhere } from '#test/support/nowhere.ts';
import { expectStartedLater } from './started-later.ts';

const harness = await startHarness({ worker: false });

test('a hundred creates at once while Temporal is away are 201 and durable, and the sweep starts their runs', async () => {
  const { key } = await harness.key({ environment: 'live' });
  const { url } = await harness.startApi({ temporal: await temporalNowhere(harness) });
  await expectStartedLater({ harness, url, key, count: 100 });
  expect(await harness.rows`select 1 from verifications`).toHaveLength(100);
});
