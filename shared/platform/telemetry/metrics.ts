import { setTimeout as pause } from 'node:timers/promises';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Log } from '../log.ts';
import { version } from '../version.ts';
import { instrumentsOf } from './instruments.ts';
import { createMetricsPage } from './metrics-page.ts';
import { metricsPorts, type Telemetry, type TelemetryOptions } from './options.ts';
import { sayingOutages } from './outage.ts';
import { watchProcess } from './process-metrics.ts';
import { temporalMetrics } from './temporal-metrics.ts';
import { temporalityOf } from './temporality.ts';

const exportTimeoutMs = 5_000;
const stopMs = 3_000;

/** Starts the page of metrics, the export to a collector, or both, as configured. The export contains metrics and traces. */
export async function startMetrics({
  config,
  process: role,
  log,
  core,
}: TelemetryOptions): Promise<Telemetry> {
  const { metrics, otlpEndpoint } = config;
  const producers = core === undefined ? [] : [temporalMetrics(core)];
  const page = createMetricsPage(producers);
  const port =
    metrics.port === 'off' ? undefined : await page.open(metrics.host, metrics.port ?? metricsPorts[role]);

  const resource = resourceOf(role);
  const provider = new MeterProvider({
    resource,
    readers: [
      page.reader,
      ...(otlpEndpoint === undefined ? [] : [await senderTo(otlpEndpoint, producers, log)]),
    ],
  });
  const instruments = instrumentsOf(provider.getMeter('verification-service'));
  const unwatchProcess = watchProcess(instruments);
  const traces =
    otlpEndpoint === undefined
      ? undefined
      : (await import('./traces.ts')).startTraces(otlpEndpoint, resource, log);

  return {
    instruments,
    port,
    traced: traces !== undefined,
    async stop() {
      unwatchProcess();
      const ended = Promise.allSettled([provider.shutdown(), traces?.stop(), page.close()]);
      await Promise.race([ended, pause(stopMs, undefined, { ref: false })]);
    },
  };
}

async function senderTo(endpoint: string, metricProducers: MetricProducer[], log: Log) {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, timeoutMillis: exportTimeoutMs });
  exporter.selectAggregationTemporality = temporalityOf;
  return new PeriodicExportingMetricReader({
    exporter: sayingOutages(exporter, 'metrics', log),
    exportTimeoutMillis: exportTimeoutMs,
    metricProducers,
  });
}

const resourceOf = (role: string): Resource =>
  resourceFromAttributes({
    'service.namespace': 'verification-service',
    'service.name': `verification-service-${role}`,
    'service.version': version,
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  });
