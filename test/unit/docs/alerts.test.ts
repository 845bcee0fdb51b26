import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Pages, rules, startMonitor, waitOf } from '#test/support/documents/alerts.ts';
import { anchorsOf } from '#test/support/documents/citations.ts';

/** The rule names a page of docs, and a heading of it. */
test.each(rules.map(({ alert, annotations }) => [alert, annotations.runbook]))(
  '%s names the place that says what to do',
  (_, runbook) => {
    const [, page = '', anchor] = /^(docs\/[\w/-]+\.md)#([\w-]+)$/.exec(runbook) ?? [];
    expect(anchorsOf(readFileSync(join(import.meta.dirname, '../../..', page), 'utf8'))).toContain(anchor);
  },
);

/** Rules of docs/operations/alerts.yml that wait for an hour or longer. Within that time a page is missing now and then. */

/** A page by which the rule rings. */
const causes: Record<string, { name: string; value: number }> = {
  HousekeepingAway: { name: 'housekeeping_last_success_seconds', value: 0 },
  HousekeepingPaused: { name: 'housekeeping_paused', value: 1 },
  LedgerUnsigned: { name: 'ledger_signed_seconds', value: 0 },
};

const pageOf = (name: string, value: number): Pages => ({ worker: [{ name, labels: {}, value }] });
const nothing: Pages = { worker: [] };

const long = rules.filter((rule) => waitOf(rule) >= 3_600);

test('each of them has a cause in this test', () =>
  expect(long.map(({ alert }) => alert).sort()).toEqual(Object.keys(causes)));

describe.each(long.map((rule) => [rule.alert, rule] as const))('%s', (alert, rule) => {
  const { name, value } = causes[alert] as { name: string; value: number };
  const cause = pageOf(name, value);
  const minutes = waitOf(rule) / 60;

  test.each([
    ['one reading', 0.5],
    ['those of twenty minutes', 20],
  ])('rings after its time although %s in the middle of it failed', (_, missing) => {
    const monitor = startMonitor([rule]);
    expect(monitor.watch(cause, minutes / 2)).toEqual([]);
    expect(monitor.watch(nothing, missing)).toEqual([]);
    expect(monitor.watch(cause, minutes / 2 - missing)).toEqual([]);
    expect(monitor.watch(cause, 0.5)).toEqual([alert]);
  });

  test('does not go on without readings for hours', () => {
    const monitor = startMonitor([rule]);
    monitor.watch(cause, minutes / 2);
    expect(monitor.watch(nothing, minutes)).toEqual([]);
  });

  test('is silent at once when the cause ends', () => {
    const monitor = startMonitor([rule]);
    expect(monitor.watch(cause, minutes + 1)).toEqual([alert]);
    const well = pageOf(name, alert === 'HousekeepingPaused' ? 0 : Date.now() / 1_000 + 1e6);
    expect(monitor.watch(well, 1)).toEqual([]);
  });
});
