import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { type MetricData, type MetricProducer, MetricReader } from '@opentelemetry/sdk-metrics';
import { StartFault } from '../failures.ts';
import { temporalityOf } from './temporality.ts';

/**
 * The time limit for metrics that are measured on request. If a metric is not ready in time, the page is served without that
 * metric.
 */
const collectTimeoutMs = 4_000;

class PageReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

  async page(): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: collectTimeoutMs });
    return this.#serializer.serialize({
      ...resourceMetrics,
      scopeMetrics: resourceMetrics.scopeMetrics.map(({ scope, metrics }) => ({
        scope,
        metrics: metrics.map(namedWithUnit),
      })),
    });
  }

  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

const units: Record<string, string> = { s: '_seconds', By: '_bytes' };

/** Prometheus has no separate field for the unit, so the unit becomes part of the name. */
function namedWithUnit<Data extends MetricData>(metric: Data): Data {
  const { name, unit } = metric.descriptor;
  return { ...metric, descriptor: { ...metric.descriptor, name: name + (units[unit] ?? ''), unit: '' } };
}

export type MetricsPage = {
  reader: MetricReader;
  /** Starts listening and returns the port. If the server cannot listen, throws a StartFault. */
  open(host: string, port: number): Promise<number>;
  close(): Promise<void>;
};

/**
 * Serves `GET /metrics` in the text format of Prometheus. The page has its own port, so that callers of the
 * API cannot reach it.
 */
export function createMetricsPage(metricProducers: MetricProducer[]): MetricsPage {
  const reader = new PageReader({ metricProducers, aggregationTemporalitySelector: temporalityOf });
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    const page = await reader.page().catch(() => undefined);
    if (page === undefined) return void response.writeHead(500).end();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(page);
  });
  return {
    reader,
    open: (host, port) => listen(server, host, port),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new StartFault(
          code === 'EADDRINUSE'
            ? `Port ${port} on ${host}, for metrics, is in use: choose another with METRICS_PORT, or METRICS_PORT=off.`
            : `Cannot listen on ${host}, port ${port}, for metrics (${code}). Check METRICS_HOST and METRICS_PORT.`,
        ),
      ),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
