import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

const timeoutMs = 1_000;

/**
 * Reads the metrics of Temporal's SDK. The native part of the SDK serves them on a separate page, which is read only when our
 * metrics are collected. The result is served and exported together with our metrics (docs/choices/telemetry.md).
 */
export function temporalMetrics(address: string): MetricProducer {
  return {
    async collect() {
      const errors: unknown[] = [];
      const page = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(timeoutMs) })
        .then((response) => response.text())
        .catch((error: unknown) => {
          errors.push(error);
          return '';
        });
      const scope = { name: 'temporal-sdk-core' };
      const metrics = metricsOf(page, new Date());
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] }, errors };
    },
  };
}

type Sample = { attributes: Attributes; value: number };
/** The key of `samples` is the suffix of the sample's name: empty, `_bucket`, `_sum` or `_count`. */
type Family = { type: string; help: string; samples: Map<string, Sample[]> };

/** Parses a page in the text format of Prometheus. Only counters, gauges and histograms are kept. */
export function metricsOf(page: string, now: Date): MetricData[] {
  const time = { startTime: hrTime(new Date(performance.timeOrigin)), endTime: hrTime(now) };
  return [...familiesOf(page)].flatMap(([name, family]) => metricOf(name, family, time) ?? []);
}

function familiesOf(page: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current = '';
  for (const line of page.split('\n')) {
    const [, keyword, named = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (keyword !== undefined) current = named;
    const family: Family = families.get(current) ?? { type: '', help: '', samples: new Map() };
    families.set(current, family);
    if (keyword === 'HELP') family.help = rest;
    if (keyword === 'TYPE') family.type = rest;
    const [, name = '', labels = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) continue;
    const suffix = name.slice(current.length);
    const sample = { attributes: attributesOf(labels), value: Number(value) };
    family.samples.set(suffix, [...(family.samples.get(suffix) ?? []), sample]);
  }
  return families;
}

function attributesOf(labels: string): Record<string, string> {
  const pairs = [...labels.matchAll(/(?:^|,)(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, unescaped)]),
  );
}

const unescaped = (_: string, character: string) => (character === 'n' ? '\n' : character);

type Time = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function metricOf(name: string, { type, help, samples }: Family, time: Time): MetricData | undefined {
  const shared = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = (samples.get('') ?? []).map((sample) => ({ ...sample, ...time }));
  if (type === 'gauge') return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: points };
  if (type === 'counter')
    return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points };
  if (type !== 'histogram') return undefined;
  const dataPoints = histogramsOf(samples).map((histogram) => ({ ...histogram, ...time }));
  return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

/**
 * In the format of Prometheus, the count of a bucket includes all smaller buckets. OpenTelemetry counts every bucket separately, so
 * the count of the next smaller bucket is subtracted.
 */
function histogramsOf(samples: Family['samples']): { attributes: Attributes; value: Histogram }[] {
  const buckets = Map.groupBy(samples.get('_bucket') ?? [], ({ attributes: { le, ...others } }) =>
    JSON.stringify(others),
  );
  const sums = new Map(
    (samples.get('_sum') ?? []).map(({ attributes, value }) => [JSON.stringify(attributes), value]),
  );
  return [...buckets].map(([key, ofOne]) => {
    const counts = ofOne.map(({ value }, i) => value - (ofOne[i - 1]?.value ?? 0));
    const boundaries = ofOne.slice(0, -1).map(({ attributes: { le } }) => Number(le));
    const value = {
      buckets: { boundaries, counts },
      count: ofOne.at(-1)?.value ?? 0,
      sum: sums.get(key) ?? 0,
    };
    return { attributes: JSON.parse(key), value };
  });
}

const hrTime = (time: Date): HrTime => [
  Math.floor(time.getTime() / 1_000),
  Math.round((time.getTime() % 1_000) * 1e6),
];
