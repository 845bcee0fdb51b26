import { DataPointType } from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { metricsOf } from '#platform/telemetry/temporal-metrics.ts';

const page = `# HELP temporal_request Count of client requests, by rpc name
# TYPE temporal_request counter
temporal_request{operation="PollWorkflow",task_queue="a \\"b\\" \\\\ c"} 7
# HELP temporal_sticky_cache_size Current number of cached workflows
# TYPE temporal_sticky_cache_size gauge
temporal_sticky_cache_size 3
# HELP latency_seconds How long
# TYPE latency_seconds histogram
latency_seconds_bucket{queue="a",le="0.1"} 2
latency_seconds_bucket{queue="a",le="1"} 5
latency_seconds_bucket{queue="a",le="+Inf"} 6
latency_seconds_sum{queue="a"} 4.5
latency_seconds_count{queue="a"} 6
latency_seconds_bucket{queue="b",le="0.1"} 1
latency_seconds_bucket{queue="b",le="1"} 1
latency_seconds_bucket{queue="b",le="+Inf"} 1
latency_seconds_sum{queue="b"} 0.05
latency_seconds_count{queue="b"} 1
# TYPE strange summary
strange{quantile="0.5"} 1
`;

const [counter, gauge, histogram, ...others] = metricsOf(page, new Date());

test('a counter keeps its value and labels, whatever stands in them', () => {
  expect(counter).toMatchObject({
    descriptor: { name: 'temporal_request', description: 'Count of client requests, by rpc name' },
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ value: 7, attributes: { operation: 'PollWorkflow', task_queue: 'a "b" \\ c' } }],
  });
});

test('a gauge without labels is read', () => {
  expect(gauge).toMatchObject({
    descriptor: { name: 'temporal_sticky_cache_size' },
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ value: 3, attributes: {} }],
  });
});

test('buckets that hold the smaller ones become buckets apart, a histogram for each set of labels', () => {
  expect(histogram).toMatchObject({
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      {
        attributes: { queue: 'a' },
        value: { buckets: { boundaries: [0.1, 1], counts: [2, 3, 1] }, count: 6, sum: 4.5 },
      },
      {
        attributes: { queue: 'b' },
        value: { buckets: { boundaries: [0.1, 1], counts: [1, 0, 0] }, count: 1, sum: 0.05 },
      },
    ],
  });
});

test('other kinds are left out, and an empty page has no metrics', () => {
  expect(others).toEqual([]);
  expect(metricsOf('', new Date())).toEqual([]);
});
