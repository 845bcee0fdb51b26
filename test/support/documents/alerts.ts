import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { evaluate, keyOf, type Sample, type Scrape } from './promql.ts';

export type Rule = {
  alert: string;
  expr: string;
  for?: string;
  annotations: { summary: string; runbook: string };
};

const file = new URL('../../../docs/operations/alerts.yml', import.meta.url);
export const rules: readonly Rule[] = parse(readFileSync(file, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);

const everySeconds = 30;
/** The longest range of a rule is an hour. */
const keptSeconds = 7_200;
const unitSeconds: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };
/** How long the rule waits before it rings. */
export const waitOf = ({ for: text = '0m' }: Rule): number =>
  Number.parseInt(text, 10) * (unitSeconds[text.at(-1) ?? ''] ?? Number.NaN);

/** What the pages had when they were read, by process. An empty list: nothing answered. */
export type Pages = Readonly<Record<string, readonly Sample[]>>;

/** A Prometheus with a clock of its own, so that a test need not wait for hours. */
export function startMonitor(given: readonly Rule[] = rules) {
  let now = Date.now() / 1_000;
  let scrapes: Scrape[] = [];
  /** Since when the expression of a rule has had an element with these labels. */
  const pending = new Map<Rule, Map<string, number>>();

  const step = (pages: Pages): string[] => {
    now += everySeconds;
    scrapes = scrapes.filter(({ at }) => at > now - keptSeconds);
    for (const [target, samples] of Object.entries(pages)) scrapes.push({ target, at: now, samples });
    return given.filter(isRinging).map(({ alert }) => alert);
  };
  const isRinging = (rule: Rule): boolean => {
    const before = pending.get(rule);
    const keys = evaluate(rule.expr, { scrapes, at: now }).map(({ labels }) => keyOf(labels));
    const since = new Map(keys.map((key) => [key, before?.get(key) ?? now]));
    pending.set(rule, since);
    return [...since.values()].some((at) => now - at >= waitOf(rule));
  };

  return {
    /** Reads these pages again and again for this time. Returns the names of the alerts that rang meanwhile. */
    watch(pages: Pages, minutes: number): string[] {
      const rang = new Set<string>();
      for (let i = 0; i < (minutes * 60) / everySeconds; i++)
        for (const alert of step(pages)) rang.add(alert);
      return [...rang].sort();
    },
  };
}
