import { describe, expect, test } from 'vitest';
import { createMasking } from '#activities/run-masking.ts';
import { noChecks } from '#test/support/examiners/no-checks.ts';
import { quickMasker } from '#test/support/examiners/quick-masker.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { copies, maskingsIn } from './stored.ts';

const harness = await startHarness({ documents: noChecks });
const { key } = await harness.key({ environment: 'live' });
const { examined, keys, kinds, maskedLines } = maskingsIn(harness, key);

/** Masks a document, and does something after the program has got the pictures and before it answers. */
async function maskingWhile(meanwhile: (taken: Awaited<ReturnType<typeof examined>>) => Promise<unknown>) {
  const taken = await examined();
  const masker = {
    ...quickMasker,
    mask: async () => {
      await meanwhile(taken);
      return copies;
    },
  };
  expect(await createMasking(harness.ctx, masker, collectedLog('masking'))(taken.ref)).toEqual({
    masked: true,
  });
  return taken;
}

describe('while a document is masked', () => {
  test('an erasure wins: nothing is stored afterwards, and no key', async () => {
    const { id } = await maskingWhile((taken) => eraseByOperator(harness, taken.id));
    expect([await kinds(id), await keys(id), await maskedLines(id)]).toEqual([[], [], []]);
  });

  test('a withdrawal, of a row that was restored to before Send, wins', async () => {
    const { id } = await maskingWhile(async (taken) => {
      await harness.rows`update verifications set submitted_at = null where id = ${taken.id}`;
      expect((await taken.user.press('withdraw')).text).toContain('You have stopped');
    });
    expect([await kinds(id), await maskedLines(id)]).toEqual([[], []]);
  });

  test('another picture that was handed in meanwhile is not taken for the one that was masked', async () => {
    const { id } = await maskingWhile(
      (taken) =>
        harness.rows`update evidence set sha256 = '\\x00'::bytea where verification_id = ${taken.id}`,
    );
    expect([await kinds(id), await maskedLines(id)]).toEqual([['passport_page'], []]);
  });
});
