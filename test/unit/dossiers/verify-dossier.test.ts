import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import type { Dossier, Line } from '#services/dossiers/dossier.ts';
import { dossierText, signDossier } from '#services/dossiers/sign.ts';
import { ledgerSigner, madeUpDossier, rehashed } from '#test/support/rows/dossier.ts';
import { fc } from '#test/support/seed.ts';
import { canonical, checkDossier } from '#worker/commands/verify-dossier.mjs';

/** Somebody changes the file of a dossier. The key of the ledger is not theirs. */

const trusted = [createPublicKey(ledgerSigner.publicKey)];
const stranger = createSigner([Buffer.alloc(32, 22)]);
const faultsOf = (dossier: Dossier, keys = trusted) =>
  checkDossier(Buffer.from(dossierText(dossier)), keys).faults;
const dossier = madeUpDossier();
const { ledger } = dossier;

const replaced = (sequence: number, change: (line: Line) => Line): Line[] =>
  ledger.map((line) => (line.sequence === sequence ? change(line) : line));
const rejected = (line: Line): Line => ({
  ...line,
  data: { ...line.data, verdict: { ...(line.data.verdict as object), outcome: 'approved' } },
});
const swapped = (a: number, b: number): Line[] => {
  const order = ledger.map(({ sequence }) => (sequence === a ? b : sequence === b ? a : sequence));
  return order.flatMap((sequence) => ledger.find((line) => line.sequence === sequence) ?? []);
};

test('a dossier that nobody changed is valid, and the root vouches for the lines up to its own', () => {
  expect(checkDossier(Buffer.from(dossierText(dossier)), trusted)).toEqual({
    ...{ faults: [], lines: 5, anchored: 4, day: '2026-11-21', signer: ledgerSigner.fingerprint },
  });
  expect(checkDossier(Buffer.from(dossierText(madeUpDossier({ anchored: 0 }))), trusted)).toMatchObject({
    ...{ faults: [], lines: 5, anchored: 0, day: null },
  });
});

test('after an erasure of what is personal, the chain still verifies', () => {
  expect(faultsOf(madeUpDossier({ reference: null }))).toEqual([]);
});

test('each check has what made it and by which threshold, and a line of an older version has one engine for all', () => {
  const engine = { name: 'document-reader', version: '0.1.0' };
  for (const older of [false, true]) {
    const dossier = madeUpDossier({ older });
    expect(faultsOf(dossier)).toEqual([]);
    expect(dossier.checks[0]).toMatchObject({ engine: null, threshold: null, finding: null });
    expect(dossier.checks[1]).toMatchObject({
      engine,
      threshold: older ? null : 'documents 1',
      finding: null,
    });
  }
});

test('a masked copy is an artefact of its own, and the original names the line that replaced it', () => {
  const masked = madeUpDossier({ masked: true, anchored: 5 });
  expect(faultsOf(masked)).toEqual([]);
  expect(masked.artefacts).toMatchObject([
    { kind: 'passport_page', line: 3, deletion_line: 4, state: 'deleted' },
    { kind: 'masked_front', line: 4, deletion_line: 6, state: 'deleted' },
  ]);
  const [, copy] = masked.artefacts;
  const artefacts = masked.artefacts.map((each) => (each === copy ? { ...each, line: 3 } : each));
  expect(faultsOf({ ...masked, artefacts })[0]).toContain('artefacts.1.line: it is not what the lines say');
});

test('the root may be signed with an older key that is trusted too', () => {
  const renewed = madeUpDossier({ rootSigner: stranger });
  expect(faultsOf(renewed, [...trusted, createPublicKey(stranger.publicKey)])).toEqual([]);
  expect(faultsOf(renewed)[0]).toContain(`root.statement: key ${stranger.fingerprint} signed`);
});

describe('is named first:', () => {
  const { statement } = dossier.signed;
  test.each<[what: string, changed: Dossier, first: string]>([
    [
      'a line that was changed',
      { ...dossier, ledger: replaced(4, rejected) },
      'line 4 (verification.completed): it was changed: its hash does not fit',
    ],
    [
      'a line that was changed together with its hash',
      {
        ...dossier,
        ledger: [
          ...rehashed(replaced(2, (line) => ({ ...line, at: 'later' }))).slice(0, 2),
          ...ledger.slice(2),
        ],
      },
      'line 3 (verification.submitted): it does not follow line 2',
    ],
    [
      'a line that was dropped',
      { ...dossier, ledger: ledger.filter(({ sequence }) => sequence !== 3) },
      'line 3: it is missing: the next is line 4',
    ],
    ['the first line that was dropped', { ...dossier, ledger: ledger.slice(1) }, 'line 1: it is missing'],
    [
      'two lines that were swapped',
      { ...dossier, ledger: swapped(2, 3) },
      'line 2: line 3 is in its place: lines were swapped',
    ],
    [
      'a line that is there twice',
      { ...dossier, ledger: ledger.flatMap((line) => (line.sequence === 2 ? [line, line] : [line])) },
      'line 3: line 2 is in its place',
    ],
    [
      'the end that was cut off',
      { ...dossier, ledger: ledger.slice(0, -1) },
      'line 5: it is missing: the end was cut off (4 of 5 lines are left)',
    ],
    ['a chain without lines', { ...dossier, ledger: [] }, 'line 1: it is missing: the end was cut off'],
    [
      'a line of another verification',
      {
        ...dossier,
        ledger: rehashed(replaced(5, (line) => ({ ...line, subject_id: dossier.verdict?.at ?? '' }))),
      },
      'line 5 (evidence.purged): it is not about the verification of the header',
    ],
    [
      'a field of the header',
      { ...dossier, header: { ...dossier.header, organisation: 'Acne' } },
      'header.organisation: it was changed',
    ],
    [
      'a summary that is not what its line says',
      { ...dossier, verdict: dossier.verdict && { ...dossier.verdict, outcome: 'approved' } },
      'verdict.outcome: it is not what the lines say',
    ],
    [
      'a consent of another time',
      { ...dossier, consents: dossier.consents.map((consent) => ({ ...consent, version: 2 })) },
      'consents.0.version: it is not what the lines say',
    ],
    ['a delivery that was left out', { ...dossier, deliveries: [] }, 'deliveries: it was changed'],
    [
      'a field that was added',
      { ...dossier, header: { ...dossier.header, note: 'seen' } as Dossier['header'] },
      'header.note: it was added',
    ],
    [
      'a statement that was changed with the field',
      { ...dossier, signed: { ...dossier.signed, statement: { ...statement, made_at: 'later' } } },
      'signed.signature: it does not fit signed.statement',
    ],
    ['the root that was taken away', { ...dossier, root: null }, 'root: it was changed'],
    [
      'a root of other chains',
      { ...dossier, root: dossier.root && { ...dossier.root, path: dossier.root.path.slice(1) } },
      'root.path: it was changed',
    ],
    [
      'a signature that was taken away',
      { ...dossier, signed: { ...dossier.signed, signature: '' } },
      'signed.signature: it does not fit',
    ],
  ])('%s', (_, changed, first) => {
    expect(faultsOf(changed)[0]).toContain(first);
  });

  test('another key', () => {
    const [first] = faultsOf(dossier, [createPublicKey(stranger.publicKey)]);
    expect(first).toContain(`key ${ledgerSigner.fingerprint} signed, and you trust ${stranger.fingerprint}`);
  });

  test('a line that somebody rewrote who signs the dossier again with a key of their own', () => {
    const { signed: _, ...unsigned } = { ...dossier, ledger: rehashed(replaced(4, rejected)) };
    expect(faultsOf(signDossier(unsigned, stranger))).toContainEqual(
      'line 4: it is not the line for which the signed root of 2026-11-21 vouches',
    );
  });
});

/** The operator has the key. But the root of the day is on record elsewhere, so it cannot be signed again. */
describe('the owner of the key cannot', () => {
  const again = (changed: Partial<Dossier>) => {
    const { signed: _, ...unsigned } = { ...dossier, ...changed };
    return faultsOf(signDossier(unsigned, ledgerSigner));
  };

  test('rewrite a line for which a root vouches', () => {
    expect(again({ ledger: rehashed(replaced(4, rejected)) })[0]).toBe(
      'line 4: it is not the line for which the signed root of 2026-11-21 vouches',
    );
  });

  test('cut off a line for which a root vouches', () => {
    expect(again({ ledger: ledger.slice(0, 3) })[0]).toBe(
      'line 4: it is missing: the signed root of 2026-11-21 vouches for it',
    );
  });

  test.each([
    ['verdict.reviewed', { verdict: dossier.verdict && { ...dossier.verdict, reviewed: true } }],
    ['header.environment', { header: { ...dossier.header, environment: 'sandbox' as const } }],
    ['header.completed_at', { header: { ...dossier.header, completed_at: null } }],
    ['header.status', { header: { ...dossier.header, status: 'pending' as const } }],
    ['artefacts.0.sha256', { artefacts: dossier.artefacts.map((each) => ({ ...each, sha256: null })) }],
    ['artefacts.0', { artefacts: [] }],
    ['checks.0.result', { checks: dossier.checks.map((each) => ({ ...each, result: 'passed' as const })) }],
    ['checks.1.threshold', { checks: dossier.checks.map((each) => ({ ...each, threshold: null })) }],
    [
      'checks.0.finding',
      { checks: dossier.checks.map((each) => ({ ...each, finding: 'face_too_small' as const })) },
    ],
    ['checks.1.engine', { checks: dossier.checks.map((each) => ({ ...each, engine: null })) }],
  ])('sign a summary that is not what the lines say: %s', (field, changed) => {
    expect(again(changed)[0]).toBe(`${field}: it is not what the lines say`);
  });
});

describe('one byte', () => {
  const bytes = Buffer.from(dossierText(dossier));

  test('that is changed anywhere is found, and its place is named', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, mask) => {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ mask;
        const { faults } = checkDossier(changed, trusted);
        return faults.length > 0 && /^(line \d+ ?|[^ ]+).*: [ -~]+$/.test(faults[0] ?? '');
      }),
      { numRuns: 800 },
    );
  });

  test('more or less anywhere is found', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.constantFrom(' ', '\n', '0', 'a', '"', ','), (place, more) => {
        const longer = Buffer.concat([bytes.subarray(0, place), Buffer.from(more), bytes.subarray(place)]);
        const shorter = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]);
        const isFound = (changed: Buffer) =>
          changed.equals(bytes) || checkDossier(changed, trusted).faults.length > 0;
        return isFound(longer) && isFound(shorter);
      }),
      { numRuns: 300 },
    );
  });

  test('of white space is found, and the message says that the data are unchanged', () => {
    const { faults } = checkDossier(Buffer.from(`${bytes} `), trusted);
    expect(faults).toEqual([
      expect.stringMatching(`^file: byte ${bytes.length + 1} .* though the data are unchanged$`),
    ]);
  });

  test('a key that is there twice, or in another place, is found', () => {
    const method = '"method": "document_only",\n    ';
    const moved = String(bytes).replace(method, '').replace('"environment"', `${method}"environment"`);
    const twice = String(bytes).replace(method, `"method": "idin",\n    ${method}`);
    for (const text of [twice, moved])
      expect(checkDossier(Buffer.from(text), trusted).faults[0]).toMatch(
        /^file: byte \d+ \(text line \d+\) is not/,
      );
  });

  test('every line of text that is dropped, or swapped with the next, is found', () => {
    const lines = String(bytes).split('\n');
    for (const [place, line] of lines.entries()) {
      const rest = lines.slice(place + 1);
      const dropped = [...lines.slice(0, place), ...rest].join('\n');
      const swapped = [...lines.slice(0, place), ...rest.slice(0, 1), line, ...rest.slice(1)].join('\n');
      expect(checkDossier(Buffer.from(dropped), trusted).faults, line).not.toEqual([]);
      if (swapped !== String(bytes))
        expect(checkDossier(Buffer.from(swapped), trusted).faults, line).not.toEqual([]);
    }
  });
});

test('what is no dossier is refused in words', () => {
  const first = (text: string | Buffer) => checkDossier(Buffer.from(text), trusted).faults[0];
  expect(first('')).toBe('file: it is not JSON, see text line 1');
  expect(first('{"format":\n}')).toBe('file: it is not JSON, see text line 1');
  expect(first('null')).toBe('format: it is not verification-dossier/1');
  expect(first(`\uFEFF${dossierText(dossier)}`)).toBe('file: it is not JSON, see text line 1');
  expect(first('%PDF-1.7')).toContain('attachment');
  expect(first('{"format":"verification-dossier/1"}')).toContain('root: it has not');
});

test('the proof holds for a root over any number of chains, at any place', () => {
  for (let before = 0; before < 9; before += 1)
    for (let after = 0; after < 9; after += 1)
      expect(faultsOf(madeUpDossier({ others: { before, after } })), `${before} ${after}`).toEqual([]);
});

test('its canonical JSON is that of the library', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 5 }), (value) => {
      const read = JSON.parse(JSON.stringify(value));
      expect(canonical(read)).toBe(canonicalJson(read));
    }),
    { numRuns: 2_000 },
  );
  for (const number of [0, -0, 1e21, 1e-7, 0.1 + 0.2, Number.MAX_VALUE, Number.MIN_VALUE])
    expect(canonical(number)).toBe(canonicalJson(number));
  const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, ö: 7 };
  expect(canonical(keys)).toBe(canonicalJson(keys));
});

test('it needs nothing but itself and Node', () => {
  const source = readFileSync(
    new URL('../../../worker/commands/verify-dossier.mjs', import.meta.url),
    'utf8',
  );
  const code = source.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const imported = [...code.matchAll(/^\s*import\b.* from '([^']+)'|\b(?:require|import)\('/gm)];
  expect(imported.map(([, name]) => name)).toEqual(['node:crypto', 'node:fs', 'node:url', 'node:util']);
});
