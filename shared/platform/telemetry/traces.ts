import { createRequire } from 'node:module';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import type { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { withAllowedOnly } from './allowed.ts';
import { sayingOutages } from './outage.ts';
import { spansAreCollected } from './tracer.ts';

const exportTimeoutMs = 5_000;

/**
 * Exports spans to the collector at `endpoint`. A process may call this function once. If 2,048 spans are waiting for their export,
 * further spans are dropped.
 */
export function startTraces(endpoint: string, resource: Resource, log: Log): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withAllowedOnly(sayingOutages(exporter, 'traces', log)),
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  spansAreCollected();
  instrumentDrivers(provider);
  return { stop: () => provider.shutdown() };
}

/**
 * Creates spans for SQL queries and Redis commands. An instrumentation patches a driver when the driver is required. The drivers
 * are already imported as ECMAScript modules, so a further `require` is enough and no loader hook is needed.
 */
function instrumentDrivers(tracerProvider: TracerProvider): void {
  registerInstrumentations({
    tracerProvider,
    instrumentations: [
      new PgInstrumentation({ requireParentSpan: true }),
      // The span gets the command without its arguments, since the arguments contain addresses of clients.
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  const require = createRequire(import.meta.url);
  require('ioredis');
  // The instrumentation must patch the same copy of `pg` that MikroORM uses.
  const mapper = createRequire(require.resolve('@mikro-orm/postgresql'));
  createRequire(mapper.resolve('pg'))('pg-pool');
  mapper('pg');
}
