import { X509Certificate } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { judge } from '#activities/checks/income/judging/judge.ts';
import { readPaper } from '#activities/checks/income/reading/read.ts';
import { fileWith } from '#test/support/specimens/income/small/changes.ts';
import { slipOf } from '#test/support/specimens/income/small/paper.ts';
import { authority } from '#test/support/specimens/income/small/signing.ts';

const [ours, foreign] = [authority('Trusted authority'), authority('Nobody')];
afterAll(() => {
  ours.end();
  foreign.end();
});
const context = {
  today: '2026-06-10',
  wanted: null,
  linkedName: null,
  known: [],
  signedTypes: [],
};

async function signatureOf(file: Buffer, anchors = [new X509Certificate(ours.anchor)]) {
  const facts = await readPaper(file, anchors);
  const { checks } = judge([{ id: 'a', facts }], context);
  const resultOf = (kind: string) => checks.find((check) => check.kind === kind)?.result;
  return [
    facts.readable
      ? facts.signatures.map(({ digest, chain, added }) => [digest, chain, added])
      : facts.reason,
    ...['digital_signature', 'revision_history'].map(resultOf),
  ];
}

test('a signature that holds, and leads to an anchor, passes', async () => {
  expect(await signatureOf(ours.signed(await slipOf('english')))).toEqual([
    [['holds', 'trusted', 'nothing']],
    'passed',
    'passed',
  ]);
});

test('one that leads to no anchor is in doubt, and says nothing where there are no anchors', async () => {
  const file = foreign.signed(await slipOf('english'));
  expect(await signatureOf(file)).toEqual([[['holds', 'untrusted', 'nothing']], 'doubt', 'passed']);
  expect(await signatureOf(file, [])).toEqual([
    [['holds', 'no_anchors', 'nothing']],
    'not_applicable',
    'passed',
  ]);
});

test('one byte changed under a signature fails', async () => {
  const file = ours.signed(await slipOf('english'));
  file.write('Loonbureau 4.2', file.indexOf('Loonbureau 4.1'));
  expect((await signatureOf(file)).slice(0, 2)).toEqual([[['broken', 'trusted', 'nothing']], 'failed']);
});

test('bytes added after a signature are in doubt', async () => {
  const file = fileWith(ours.signed(await slipOf('english')), '<< /Added true >>');
  expect(await signatureOf(file)).toEqual([[['holds', 'trusted', 'other']], 'passed', 'doubt']);
});

test('data by which a signature can be verified later are no change', async () => {
  const file = fileWith(ours.signed(await slipOf('english')), '<< /Type /Catalog /DSS << /Certs [] >> >>');
  expect(await signatureOf(file)).toEqual([[['holds', 'trusted', 'validation_data']], 'passed', 'passed']);
});

test('a value that is no signature fails', async () => {
  const file = ours.signed(await slipOf('english'));
  const start = file.indexOf('/Contents <30') + '/Contents <'.length;
  file.fill('0', start, file.indexOf('>', start));
  expect(await signatureOf(file)).toEqual([[['broken', 'untrusted', 'nothing']], 'failed', 'passed']);
});

test('a missing signature is no failure', async () => {
  expect(await signatureOf(await slipOf('english'))).toEqual([[], 'not_applicable', 'passed']);
});
