import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/**
 * Evaluates expressions of Prometheus with its own grammar, as far as our rules use them. An increase is not extrapolated to the ends of
 * its range.
 */

export type Labels = Readonly<Record<string, string>>;
export type Sample = { name: string; labels: Labels; value: number };
/** One read of one page. It has no sample if nothing answered. `at` is in seconds. */
export type Scrape = { target: string; at: number; samples: readonly Sample[] };
export type Vector = { labels: Labels; value: number }[];
type Value = number | Vector;
type Moment = { scrapes: readonly Scrape[]; at: number };

/** A page that was not read for so long has no samples any more. */
const lookBackSeconds = 300;

/** The elements of the result. A rule rings for each of them. */
export function evaluate(text: string, moment: Moment): Vector {
  const value = resultOf(parsed(text), text, moment);
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

const trees = new Map<string, SyntaxNode>();

function parsed(text: string): SyntaxNode {
  const known = trees.get(text);
  if (known !== undefined) return known;
  const tree = parser.parse(text);
  tree.iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not an expression of Prometheus, at ${node.from}: ${text}`);
    },
  });
  const root = tree.topNode.firstChild as SyntaxNode;
  trees.set(text, root);
  return root;
}

const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
};
const child = (node: SyntaxNode, name: string): SyntaxNode => {
  const found = node.getChild(name);
  if (found === null) throw new Error(`${node.name} without ${name}`);
  return found;
};
const wordOf = (node: SyntaxNode, text: string) => text.slice(node.from, node.to);

function resultOf(node: SyntaxNode, text: string, moment: Moment): Value {
  switch (node.name) {
    case 'NumberDurationLiteral':
      return Number(wordOf(node, text));
    case 'ParenExpr':
      return resultOf(childrenOf(node).find(({ name }) => name !== '(') as SyntaxNode, text, moment);
    case 'VectorSelector':
      return selected(node, text, moment);
    case 'OffsetExpr': {
      const of = node.firstChild as SyntaxNode;
      // Prometheus binds it to the selector before it, and this grammar to all that is before it.
      if (of.name !== 'VectorSelector') throw new Error(`the offset needs parentheses: ${text}`);
      const seconds = secondsIn(wordOf(child(node, 'OffsetDurationExpr'), text));
      return resultOf(of, text, { ...moment, at: moment.at - seconds });
    }
    case 'FunctionCall':
      return called(node, text, moment);
    case 'AggregateExpr':
      return aggregated(node, text, moment);
    case 'BinaryExpr':
      return combined(node, text, moment);
    default:
      throw new Error(`${node.name} is not evaluated here: ${text}`);
  }
}

function secondsIn(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return Number(count) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? Number.NaN);
}

/** What the last read of each page had. */
function selected(node: SyntaxNode, text: string, { scrapes, at }: Moment): Vector {
  const last = new Map<string, Scrape>();
  for (const scrape of scrapes)
    if (scrape.at <= at && scrape.at > at - lookBackSeconds) last.set(scrape.target, scrape);
  const matching = selectorOf(node, text);
  return [...last].flatMap(([instance, { samples }]) =>
    matching(samples).map(({ labels, value }) => ({ labels: { ...labels, instance }, value })),
  );
}

const named = new WeakMap<readonly Sample[], Map<string, Sample[]>>();

/** A page is read again and again, so its samples are looked up by name. */
function samplesNamed(samples: readonly Sample[], wanted: string): readonly Sample[] {
  const known = named.get(samples) ?? Map.groupBy(samples, ({ name }) => name);
  named.set(samples, known);
  return known.get(wanted) ?? [];
}

type Selector = (samples: readonly Sample[]) => readonly Sample[];

function selectorOf(node: SyntaxNode, text: string): Selector {
  const wanted = wordOf(child(node, 'Identifier'), text);
  const labels = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const tests = labels.map((matcher) => {
    const label = wordOf(child(matcher, 'LabelName'), text);
    const operator = wordOf(child(matcher, 'MatchOp'), text);
    const given = JSON.parse(wordOf(child(matcher, 'StringLiteral'), text));
    const fits = operator.endsWith('~')
      ? (value: string) => new RegExp(`^(?:${given})$`).test(value)
      : (value: string) => value === given;
    return ({ labels }: Sample) => fits(labels[label] ?? '') !== operator.startsWith('!');
  });
  return (samples) => samplesNamed(samples, wanted).filter((sample) => tests.every((fits) => fits(sample)));
}

type Range = { labels: Labels; values: number[] };

/** The values of each series in a range, oldest first. */
function rangesOf(node: SyntaxNode, text: string, { scrapes, at }: Moment): Range[] {
  const seconds = secondsIn(wordOf(child(node, 'DurationExpr'), text));
  const matching = selectorOf(child(node, 'VectorSelector'), text);
  const series = new Map<string, Range>();
  for (const scrape of scrapes) {
    if (scrape.at > at || scrape.at <= at - seconds) continue;
    for (const sample of matching(scrape.samples)) {
      const labels = { ...sample.labels, instance: scrape.target };
      const key = keyOf(labels);
      const known: Range = series.get(key) ?? { labels, values: [] };
      known.values.push(sample.value);
      series.set(key, known);
    }
  }
  return [...series.values()];
}

const kept = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));

/** The same labels in any order have the same key. */
export const keyOf = (labels: Labels) => JSON.stringify(Object.entries(labels).sort());

/** A counter that is smaller than before was begun anew. */
const increaseOf = (values: readonly number[]): number =>
  values.reduce((sum, value, i) => {
    const before = values[i - 1] ?? value;
    return sum + (value < before ? value : value - before);
  }, 0);

const changesOf = (values: readonly number[]): number =>
  values.filter((value, i) => i > 0 && value !== values[i - 1]).length;

function called(node: SyntaxNode, text: string, moment: Moment): Value {
  const name = wordOf(child(node, 'FunctionIdentifier'), text);
  const given = childrenOf(child(node, 'FunctionCallBody')).filter(({ name }) => !'(,)'.includes(name));
  const vector = (i: number) => resultOf(given[i] as SyntaxNode, text, moment) as Vector;
  const ranges = (of: (values: number[]) => number): Vector =>
    rangesOf(given[0] as SyntaxNode, text, moment)
      .filter(({ values }) => !['increase', 'rate'].includes(name) || values.length > 1)
      .map(({ labels, values }) => ({ labels, value: of(values) }));
  switch (name) {
    case 'time':
      return moment.at;
    case 'abs':
      return vector(0).map(({ labels, value }) => ({ labels, value: Math.abs(value) }));
    case 'absent':
      return vector(0).length === 0 ? [{ labels: {}, value: 1 }] : [];
    case 'increase':
      return ranges(increaseOf);
    case 'rate': {
      const seconds = secondsIn(wordOf(child(given[0] as SyntaxNode, 'DurationExpr'), text));
      return ranges((values) => increaseOf(values) / seconds);
    }
    case 'changes':
      return ranges(changesOf);
    case 'last_over_time':
      return ranges((values) => values.at(-1) ?? Number.NaN);
    case 'min_over_time':
      return ranges((values) => Math.min(...values));
    case 'histogram_quantile':
      return quantiles(resultOf(given[0] as SyntaxNode, text, moment) as number, vector(1));
    default:
      throw new Error(`the function ${name} is not evaluated here: ${text}`);
  }
}

/** The upper end of the bucket that has the quantile. */
function quantiles(quantile: number, buckets: Vector): Vector {
  const groups = Map.groupBy(buckets, ({ labels: { le, ...others } }) => keyOf(others));
  return [...groups.values()].flatMap((group) => {
    const boundary = ({ labels: { le = '' } }: Vector[number]) => (le === '+Inf' ? Infinity : Number(le));
    const sorted = group.toSorted((a, b) => boundary(a) - boundary(b));
    const total = sorted.at(-1)?.value ?? 0;
    const found = sorted.find(({ value }) => value >= quantile * total);
    if (total === 0 || found === undefined) return [];
    const { le, ...labels } = found.labels;
    return [{ labels, value: boundary(found) }];
  });
}

const aggregates: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
};

function aggregated(node: SyntaxNode, text: string, moment: Moment): Vector {
  const by = node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
  const names = by.map((label) => wordOf(label, text));
  const of = aggregates[wordOf(child(node, 'AggregateOp'), text)];
  if (of === undefined) throw new Error(`the aggregation is not evaluated here: ${text}`);
  const body = childrenOf(child(node, 'FunctionCallBody')).find(({ name }) => !'()'.includes(name));
  const groups = Map.groupBy(resultOf(body as SyntaxNode, text, moment) as Vector, ({ labels }) =>
    keyOf(kept(labels, names)),
  );
  return [...groups.values()].map((group) => ({
    labels: kept(group[0]?.labels ?? {}, names),
    value: of(group.map(({ value }) => value)),
  }));
}

const calculations: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const comparisons: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
};

function combined(node: SyntaxNode, text: string, moment: Moment): Value {
  const [left, operation, ...others] = childrenOf(node) as [SyntaxNode, SyntaxNode, ...SyntaxNode[]];
  const [a, b] = [left, others.at(-1) as SyntaxNode].map((each) => resultOf(each, text, moment)) as [
    Value,
    Value,
  ];
  const word = wordOf(operation, text);
  if (typeof a === 'number' && typeof b === 'number') return calculations[word]?.(a, b) ?? Number.NaN;
  if (['and', 'or', 'unless'].includes(word)) {
    const on = node.getChild('MatchingModifierClause')?.getChild('GroupingLabels')?.getChildren('LabelName');
    const names = on?.map((label) => wordOf(label, text));
    return joined(word, { a: a as Vector, b: b as Vector, names });
  }
  const pairs = pairsOf(a, b);
  const calculate = calculations[word];
  if (calculate !== undefined) return pairs.map(({ labels, x, y }) => ({ labels, value: calculate(x, y) }));
  const compare = comparisons[word];
  if (compare === undefined) throw new Error(`${word} is not evaluated here: ${text}`);
  return pairs.flatMap(({ labels, x, y }) => (compare(x, y) ? [{ labels, value: x }] : []));
}

function pairsOf(a: Value, b: Value): { labels: Labels; x: number; y: number }[] {
  if (typeof b === 'number') return (a as Vector).map(({ labels, value }) => ({ labels, x: value, y: b }));
  if (typeof a === 'number') return b.map(({ labels, value }) => ({ labels, x: a, y: value }));
  return a.flatMap(({ labels, value }) => {
    const other = b.find((each) => keyOf(each.labels) === keyOf(labels));
    return other === undefined ? [] : [{ labels, x: value, y: other.value }];
  });
}

/** With `names`, only these labels are compared. */
function joined(
  word: string,
  { a, b, names }: { a: Vector; b: Vector; names: readonly string[] | undefined },
): Vector {
  const key = ({ labels }: Vector[number]) => keyOf(names === undefined ? labels : kept(labels, names));
  const has = (of: Vector, one: Vector[number]) => of.some((each) => key(each) === key(one));
  if (word === 'or') return [...a, ...b.filter((each) => !has(a, each))];
  return a.filter((each) => has(b, each) === (word === 'and'));
}
