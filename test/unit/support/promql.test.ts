import { describe, expect, test } from 'vitest';
import { type Rule, startMonitor } from '#test/support/documents/alerts.ts';
import { evaluate, type Labels, type Scrape } from '#test/support/documents/promql.ts';

/**
 * What Prometheus documents of the expressions that our rules use (https://prometheus.io/docs/prometheus/latest, as of version 3): the pages
 * querying/basics, querying/functions, querying/operators and configuration/alerting_rules.
 */

type Given = { target?: string; at: number; name?: string; labels?: Labels; value?: number };

/** Reads of pages with one sample each. Without a value the page was read and had none. */
const reads = (...given: Given[]): Scrape[] =>
  given.map(({ target = 'a', at, name = 'x', labels = {}, value }) => ({
    ...{ target, at },
    samples: value === undefined ? [] : [{ name, labels, value }],
  }));
const every = (values: (number | undefined)[], seconds = 60) =>
  reads(...values.map((value, i) => ({ at: i * seconds, ...(value !== undefined && { value }) })));
const values = (expr: string, at: number, scrapes: Scrape[]) =>
  evaluate(expr, { scrapes, at }).map(({ value }) => value);

describe('a selector (querying/basics)', () => {
  test('takes the newest sample of the last five minutes', () => {
    const scrapes = every([1, 2]);
    expect(values('x', 60 + 299, scrapes)).toEqual([2]);
    expect(values('x', 60 + 300, scrapes)).toEqual([]);
  });

  test('has nothing as soon as the page was read without the series, and has it again when it comes back', () => {
    const scrapes = every([1, undefined, 3]);
    expect([0, 60, 120].map((at) => values('x', at, scrapes))).toEqual([[1], [], [3]]);
  });

  test('with an offset, is the selector of that time, staleness included', () => {
    const scrapes = every([1, undefined, 3]);
    expect([60, 120, 180].map((at) => values('x offset 1m', at, scrapes))).toEqual([[1], [], [3]]);
  });

  test('has an offset of its own: what follows more than a selector is refused', () => {
    expect(values('x unless (x offset 1m)', 60, every([undefined, 1]))).toEqual([1]);
    expect(() => values('sum(x) offset 1m', 60, every([1]))).toThrow('offset');
    expect(() => values('x unless x offset 1m', 60, every([1]))).toThrow('offset');
  });

  test('matches regular expressions as a whole, and an absent label as an empty one', () => {
    const scrapes = reads({ at: 0, labels: { code: '503' }, value: 1 });
    const found = (matcher: string) => values(`x{${matcher}}`, 0, scrapes).length;
    expect(['code=~"5.."', 'code=~"5"', 'code!="200"', 'other=""', 'other!=""'].map(found)).toEqual([
      ...[1, 0, 1, 1, 0],
    ]);
  });

  test('of a range leaves out the sample at its beginning', () => {
    expect(values('min_over_time(x[2m])', 120, every([1, 2, 3]))).toEqual([2]);
  });
});

describe('functions (querying/functions)', () => {
  test('increase counts a counter that begins anew from zero', () => {
    expect(values('increase(x[1h])', 240, every([3, 5, 1, 4]))).toEqual([2 + 1 + 3]);
  });

  test('increase goes on over a gap, and needs two samples', () => {
    expect(values('increase(x[1h])', 240, every([3, undefined, undefined, 3]))).toEqual([0]);
    expect(values('increase(x[1h])', 240, every([undefined, 3]))).toEqual([]);
  });

  test('a counter that appears with its first event has not increased', () => {
    expect(values('increase(x[1h])', 240, every([undefined, 1, 1]))).toEqual([0]);
  });

  test('changes counts how often the value became another one, also over a gap', () => {
    expect(values('changes(x[1h])', 300, every([3, 3, 5, undefined, 3]))).toEqual([2]);
    expect(values('changes(x[1h])', 300, every([3]))).toEqual([0]);
  });

  test('last_over_time is the newest value of the range, also over a gap', () => {
    const scrapes = every([3, 5, undefined, undefined]);
    expect([180, 600, 660].map((at) => values('last_over_time(x[10m])', at, scrapes))).toEqual([
      [5],
      [5],
      [],
    ]);
  });

  test('rate is the increase in a second', () => {
    expect(values('rate(x[10m])', 240, every([0, 60, 120]))).toEqual([120 / 600]);
  });

  test('absent is 1 if there is no element, and nothing if there is one, whatever its value', () => {
    expect(values('absent(x)', 60, every([1, undefined]))).toEqual([1]);
    expect(values('absent(x)', 60, every([1, 0]))).toEqual([]);
    expect(values('absent(x > 0)', 60, every([1, 0]))).toEqual([1]);
  });

  test('histogram_quantile is above a boundary exactly if the quantile lies in a higher bucket', () => {
    const buckets = (counts: [string, number][]): Scrape[] => [
      { target: 'a', at: 0, samples: counts.map(([le, value]) => ({ name: 'x', labels: { le }, value })) },
    ];
    const above = (counts: [string, number][]) =>
      values('histogram_quantile(0.9, x) > 1', 0, buckets(counts)).length;
    const upTo = (count: number, all = 100) =>
      above([
        ['0.5', 1],
        ['1', count],
        ['2.5', all],
        ['+Inf', all],
      ]);
    expect([
      upTo(90),
      upTo(89),
      above([
        ['1', 0],
        ['+Inf', 0],
      ]),
    ]).toEqual([0, 1, 0]);
  });
});

describe('operators (querying/operators)', () => {
  const one = { name: 'x', labels: { kind: 'one' }, value: 1 };
  const two = { name: 'x', labels: { kind: 'two' }, value: 2 };
  const scrapes: Scrape[] = [
    { target: 'a', at: 0, samples: [one, { name: 'y', labels: {}, value: 9 }] },
    { target: 'b', at: 0, samples: [two] },
  ];

  test('a comparison drops the elements for which it is not so', () => {
    expect(values('x > 1', 0, scrapes)).toEqual([2]);
    expect(values('sum(x) > 3', 0, scrapes)).toEqual([]);
  });

  test('and, unless and or compare all labels', () => {
    expect(values('x and x > 1', 0, scrapes)).toEqual([2]);
    expect(values('x unless x > 1', 0, scrapes)).toEqual([1]);
    expect(values('x > 1 or x', 0, scrapes)).toEqual([2, 1]);
    expect(values('x and y', 0, scrapes)).toEqual([]);
  });

  test('on compares these labels only, and an absent label as an empty one', () => {
    expect(values('x and on (job, instance) y', 0, scrapes)).toEqual([1]);
    expect(values('x unless on (job, instance) y', 0, scrapes)).toEqual([2]);
  });

  test('what is absent is not zero: nothing is computed with it', () => {
    expect(values('x - z', 0, scrapes)).toEqual([]);
    expect(values('sum(z)', 0, scrapes)).toEqual([]);
    expect(values('sum(x) or sum(z)', 0, scrapes)).toEqual([3]);
  });

  test('an aggregation keeps the labels that it is by', () => {
    expect(evaluate('max by (kind) (x)', { scrapes, at: 0 })).toEqual([
      { labels: { kind: 'one' }, value: 1 },
      { labels: { kind: 'two' }, value: 2 },
    ]);
  });
});

describe('for (configuration/alerting_rules)', () => {
  const rule: Rule = { alert: 'Rings', expr: 'x > 0', for: '5m', annotations: { summary: '', runbook: '' } };
  const page = (kind: string, value = 1) => ({ a: [{ name: 'x', labels: { kind }, value }] });

  test('an element must be there at each evaluation of this time', () => {
    const monitor = startMonitor([rule]);
    expect(monitor.watch(page('one'), 5)).toEqual([]);
    expect(monitor.watch(page('one'), 0.5)).toEqual(['Rings']);
  });

  test.each([
    ['its value is small once', page('one', 0)],
    ['it is absent once', { a: [] }],
  ])('the time begins anew if %s', (_, once) => {
    const monitor = startMonitor([rule]);
    monitor.watch(page('one'), 5);
    monitor.watch(once, 0.5);
    expect(monitor.watch(page('one'), 5)).toEqual([]);
    expect(monitor.watch(page('one'), 0.5)).toEqual(['Rings']);
  });

  test('each element has a time of its own', () => {
    const monitor = startMonitor([rule]);
    expect(monitor.watch(page('one'), 4)).toEqual([]);
    expect(monitor.watch(page('two'), 4)).toEqual([]);
  });
});
