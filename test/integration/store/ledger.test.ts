import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

type Line = {
  subject_id: string;
  sequence: number;
  type: string;
  data: Record<string, unknown>;
  previous_hash: Buffer;
  hash: Buffer;
  personal: Buffer | null;
  created_at: Date;
};
const linesOf = async (id: string) =>
  await harness.rows<Line>`select * from ledger where subject_id = ${id} order by sequence`;

/** Computes the hash as an outsider would, from the stored columns and RFC 8785 alone. */
const hashOf = (line: Line) =>
  createHash('sha256')
    .update(
      canonicalize({
        subject_id: line.subject_id,
        sequence: line.sequence,
        previous_hash: line.previous_hash.toString('hex'),
        type: line.type,
        at: line.created_at.toISOString(),
        data: line.data,
      }) ?? '',
    )
    .digest('hex');

test('each transition is one line, and the chain can be computed again from what is stored', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: 'geheim-42', sandbox: { auto_complete: false } },
  });
  await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });
  const lines = await linesOf(json.id);
  expect(lines.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'verification.created'],
    [2, 'verification.completed'],
  ]);
  let previous = Buffer.alloc(32).toString('hex');
  for (const line of lines) {
    expect(line.previous_hash.toString('hex')).toBe(previous);
    expect(line.hash.toString('hex')).toBe(hashOf(line));
    previous = line.hash.toString('hex');
  }
  expect(lines[1]?.data).toMatchObject({ from: 'pending', trigger: 'completed_by_api' });
});

test('personal values are sealed outside the chain, so that erasing them leaves it intact', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: 'geheim-43' },
  });
  const [line] = await linesOf(json.id);
  if (line === undefined) throw new Error('no line');
  expect(JSON.stringify(line.data)).not.toContain('geheim-43');
  expect(line.personal?.toString('latin1')).not.toContain('geheim-43');
  await harness.rows`update ledger set personal = null where subject_id = ${json.id}`;
  const [erased] = await linesOf(json.id);
  expect(erased && hashOf(erased)).toBe(line.hash.toString('hex'));
});
