import { expect, test } from 'vitest';
import type { MadeCheck } from '#contract/examinations.ts';
import { examinationsMax } from '#policy/examination.ts';
import { documentChecks } from '#policy/methods/document.ts';
import { allChecksOf, examinersDue } from '#policy/methods/examiners.ts';
import { conclusive, madeSoFar } from '#policy/verdicts/conclusive.ts';

const made = (examiner: 'document' | 'face' | 'liveness'): MadeCheck[] =>
  allChecksOf(examiner, []).map((check) => ({
    ...{ engine: null, threshold: null },
    ...check,
    finding: check.finding ?? null,
  }));
const [document, face, liveness] = [made('document'), made('face'), made('liveness')];

test('a submission is examined once each examiner of its method has made its checks', () => {
  expect(conclusive('document_only', [])).toBeUndefined();
  expect(conclusive('document_only', [null, document])).toBe(document);
  expect(conclusive('document_liveness', [document])).toBeUndefined();
  expect(conclusive('document_liveness', [face])).toBeUndefined();
  expect(conclusive('document_liveness', [[...document, ...face]])).toBeUndefined();
  const all = [...document, ...face, ...liveness];
  expect(conclusive('document_liveness', [document, null, all])).toBe(all);
});

test('a method without examiners needs one empty examination', () => {
  expect(conclusive('idin', [])).toBeUndefined();
  expect(conclusive('idin', [[]])).toEqual([]);
});

test('after the last try, what was made counts and the rest is missing', () => {
  const failed = Array.from({ length: examinationsMax }, () => null);
  expect(conclusive('document_liveness', failed.slice(1))).toBeUndefined();
  expect(conclusive('document_liveness', failed)).toEqual([]);
  expect(conclusive('document_liveness', [face, ...failed.slice(1)])).toBe(face);
});

test('an examiner is due until its checks are made', () => {
  expect(examinersDue('document_liveness', [])).toEqual(['document', 'face', 'liveness']);
  expect(examinersDue('document_liveness', document)).toEqual(['face', 'liveness']);
  expect(examinersDue('document_liveness', face)).toEqual(['document', 'liveness']);
  expect(examinersDue('document_only', document)).toEqual([]);
  expect(madeSoFar([document, null])).toBe(document);
});

test('checks that an examiner did not make are in doubt, and those of faces say so', () => {
  expect(document.map(({ kind, result }) => [kind, result])).toEqual(
    documentChecks.map((kind) => [kind, 'doubt']),
  );
  expect(face).toMatchObject([{ kind: 'face_match', result: 'doubt', finding: 'faces_not_compared' }]);
});
