import { expect, test } from 'vitest';
import { keptMs } from '#policy/retention.ts';
import { retentionOf } from '#services/dossiers/retention.ts';

type Row = Parameters<typeof retentionOf>[0]['verification'];

const completedAt = new Date('2026-03-01T10:00:00.000Z');
const relationEndedAt = new Date('2030-05-02T00:00:00.000Z');
const until = (at: Date) => new Date(at.getTime() + keptMs.completed_verifications).toISOString();

const ofVerification = (row: Partial<Row>) =>
  retentionOf({
    verification: { completedAt, relationEndedAt: null, relationContinues: false, ...row } as Row,
    ...{ evidence: [], events: [], deliveries: [] },
  }).find(({ what }) => what === 'verification');

test.each([
  ['the completion, as long as nobody reported an end', {}, 'the completion', until(completedAt)],
  [
    'the end that was reported',
    { relationEndedAt },
    'the end of the business relationship',
    until(relationEndedAt),
  ],
  [
    'nothing yet, if the relationship goes on',
    { relationContinues: true },
    'the end of the business relationship, which is not reported yet',
    null,
  ],
])('the years of a verification count from %s', (_, row, countedFrom, until) => {
  expect(ofVerification(row)).toMatchObject({ counted_from: countedFrom, until });
});
