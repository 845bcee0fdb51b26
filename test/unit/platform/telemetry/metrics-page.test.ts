import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { afterAll, expect, test } from 'vitest';
import { createMetricsPage } from '#platform/telemetry/metrics-page.ts';

const page = createMetricsPage([]);
const provider = new MeterProvider({ readers: [page.reader] });
const meter = provider.getMeter('test');
const url = `http://127.0.0.1:${await page.open('127.0.0.1', 0)}/metrics`;
afterAll(() => Promise.all([page.close(), provider.shutdown()]));
const served = async () =>
  (await (await fetch(url)).text()).split('\n').filter((line) => line.startsWith('test_'));

test('a gauge that cannot be read any more is absent, while a counter keeps its value', async () => {
  let open: number | undefined = 3;
  meter.createCounter('test.done').add(2);
  meter.createObservableGauge('test.open').addCallback((result) => {
    if (open !== undefined) result.observe(open, { state: 'due' });
  });
  expect(await served()).toEqual(['test_done_total 2', 'test_open{state="due"} 3']);
  open = 4;
  expect(await served()).toEqual(['test_done_total 2', 'test_open{state="due"} 4']);
  open = undefined;
  expect(await served()).toEqual(['test_done_total 2']);
  open = 5;
  expect(await served()).toEqual(['test_done_total 2', 'test_open{state="due"} 5']);
});
