import { describe, expect, test } from 'vitest';
import { type HistoryFault, inspectHistory } from '#services/inspection/history.ts';
import { quickMasker } from '#test/support/examiners/quick-masker.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { queryAt } from '#test/support/servers/database.ts';
import { maskingsIn } from '../masking/stored.ts';

/** The role of the application may replace and delete pictures, because it must. Whoever stole it is named by the inspection. */
const portrait = Buffer.from('ffd8ff-a face-ffd9');
const harness = await startHarness({
  masker: { ...quickMasker, mask: async (...asked) => ({ ...(await quickMasker.mask(...asked)), portrait }) },
});
const { key } = await harness.key({ environment: 'live' });
const { started, kinds } = maskingsIn(harness, key);

const attack = (statement: string) => queryAt(harness.roleUrls.app, statement);

async function faults(): Promise<[HistoryFault, string][]> {
  const found: [HistoryFault, string][] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (fault, id) => found.push([fault, id]));
  return found;
}

async function masked(): Promise<string> {
  const { id, user } = await started();
  await user.submit();
  await untilMasked(harness.rows, id);
  expect(await kinds(id)).toEqual(['masked_front', 'portrait']);
  return id;
}

describe('what the product writes itself is no fault', () => {
  test('pictures before Send, their masked copies, and what an erasure leaves', async () => {
    const { id, user } = await started();
    expect(await faults()).toEqual([]);
    await user.submit();
    expect(await faults()).toEqual([]);
    await untilMasked(harness.rows, id);
    expect(await faults()).toEqual([]);
    await eraseByOperator(harness.ctx, id);
    expect(await kinds(id)).toEqual([]);
    expect(await faults()).toEqual([]);
  });
});

describe('a picture that is changed by hand after Send is named', () => {
  test.each([
    ['deleted', (where: string) => `delete from evidence where ${where}`],
    ['emptied', (where: string) => `update evidence set picture = null where ${where}`],
    ['given another hash', (where: string) => `update evidence set sha256 = '\\x00' where ${where}`],
  ])('%s', async (_, harm) => {
    const id = await masked();
    expect(await faults()).toEqual([]);
    await attack(harm(`verification_id = '${id}' and kind = 'portrait'`));
    expect(await faults()).toEqual([['differs_from_ledger', id]]);
    await eraseByOperator(harness.ctx, id);
  });

  test('put there by somebody', async () => {
    const id = await masked();
    await attack(`insert into evidence (verification_id, kind, org_id, environment, picture, sha256)
      select verification_id, 'selfie', org_id, environment, picture, sha256 from evidence
      where verification_id = '${id}' and kind = 'portrait'`);
    expect(await faults()).toEqual([['differs_from_ledger', id]]);
    await eraseByOperator(harness.ctx, id);
    expect(await faults()).toEqual([]);
  });
});
