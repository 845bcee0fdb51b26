import { expect, test } from 'vitest';
import { keepLogs } from '#test/support/run-logs.ts';
import { seedsOf } from './kinds/faults.ts';
import { verdictOf } from './report.ts';
import { runRounds } from './rounds.ts';

/** The short form of `npm run test:faults`. It runs the points with the highest risk, once each. */
const names = [
  'worker after send',
  'API between claim and Temporal call',
  'API between Temporal call and answer',
  'API between the commit of a pending create and its start',
];

test('parts that are killed lose nothing, double nothing and leave nothing stuck', async () => {
  const outcome = await runRounds({
    seeds: names.flatMap((name) => seedsOf(name, 1)),
    untilMs: Date.now() + 60_000,
    itemsPerRound: 4,
    settleMs: 90_000,
    say: () => undefined,
    keepLogs,
  });
  expect(verdictOf(outcome.findings)).toBe('Nothing lost, nothing doubled, nothing forged, nothing stuck.');
  expect(outcome.evidence.rounds).toHaveLength(names.length);
  expect(outcome.evidence.stored.verifications).toHaveLength(outcome.evidence.items.length);
}, 180_000);
