import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import { browserOfFile } from './browser.ts';

const harness = await startHarness({ worker: false });
const visit = browserOfFile(harness);

test('the reference shows the operations, with nothing from another host', async () => {
  const { page, surprises } = await visit('/docs');
  for (const name of ['Start a verification', 'List verifications', 'Retrieve a verification'])
    await page.getByText(name).first().waitFor();
  // Scalar writes to the console: its name, and a probe that the policy refuses (docs/choices/reference.md).
  expect(surprises.filter((each) => each.startsWith('http'))).toEqual([]);
});
