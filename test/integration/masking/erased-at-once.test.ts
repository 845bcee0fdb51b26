import { expect, test } from 'vitest';
import { beginMasking, recordMasking } from '#services/flow/masking.ts';
import { noChecks } from '#test/support/examiners/no-checks.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { copies, maskingsIn } from './stored.ts';

const harness = await startHarness({ documents: noChecks });
const { key } = await harness.key({ environment: 'live' });
const { examined, keys, kinds } = maskingsIn(harness, key);
const engine = { name: 'document-masker', version: '0' };

test('of an erasure and the end of a masking at the same time one comes first, and the erasure stays', async () => {
  for (let round = 0; round < 8; round++) {
    const { id, ref } = await examined();
    const due = await beginMasking(harness.ctx, ref);
    if (due === undefined) throw new Error('nothing is to be masked');
    const erase = () => eraseByOperator(harness, id);
    const record = () => recordMasking(harness.ctx, ref, due, copies, engine);
    await Promise.all(round % 2 === 0 ? [erase(), record()] : [record(), erase()]);
    expect([await kinds(id), await keys(id)]).toEqual([[], []]);
    const lines = await harness.rows<{ type: string }>`
      select type from ledger where subject_id = ${id} order by sequence desc limit 2`;
    const types = lines.map(({ type }) => type);
    expect(types[0]).toBe('verification.erased');
    expect(['evidence.masked', 'verification.started']).toContain(types[1]);
  }
});
