import { expect, test } from 'vitest';
import { lineHash } from '#services/ledger/append.ts';

const line = {
  subjectId: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'verification.created',
  data: { status: 'pending', environment: 'live', verdict: null },
  at: new Date('2026-01-02T03:04:05.678Z'),
} as const;
const first = { sequence: 0, hash: Buffer.alloc(32) };

/**
 * Computed by `openssl dgst -sha256` over {"at":"2026-01-02T03:04:05.678Z","data":{"environment":"live","status":"pending",
 * "verdict":null},"previous_hash":"00…00","sequence":1,"subject_id":"01890a5d-…","type":"verification.created"}
 */
const hash = 'c66239a9267ab4f7d1d4e480d662a9210ad594ed97518b711e29d2b06cf2aca4';

test('a line of the ledger hashes to what anyone can compute from its RFC 8785 text', () => {
  expect(lineHash(first, line).toString('hex')).toBe(hash);
});

test('a change of any part of a line or of the line before it shows', () => {
  const changes = [
    lineHash({ ...first, sequence: 1 }, line),
    lineHash({ ...first, hash: Buffer.alloc(32, 1) }, line),
    lineHash(first, { ...line, subjectId: '01890a5d-ac96-774b-bcce-b302099a8058' }),
    lineHash(first, { ...line, type: 'verification.completed' }),
    lineHash(first, { ...line, data: { ...line.data, status: 'completed' } }),
    lineHash(first, { ...line, at: new Date('2026-01-02T03:04:05.679Z') }),
  ].map((changed) => changed.toString('hex'));
  expect(new Set([...changes, hash]).size).toBe(7);
});
