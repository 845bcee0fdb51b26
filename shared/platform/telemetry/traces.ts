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

/** Collects spans and sends them there. Once a process; what cannot be sent is dropped, after 2,048 spans that wait. */
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
 * Spans of queries and of Redis commands. These instrumentations change prototypes, so it makes no difference that the drivers are
 * loaded already, and as ECMAScript modules need no loader hook: it is enough to require once more what was imported.
 */
function instrumentDrivers(tracerProvider: TracerProvider): void {
  registerInstrumentations({
    tracerProvider,
    instrumentations: [
      new PgInstrumentation({ requireParentSpan: true }),
      // A command's arguments hold addresses of clients.
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  const require = createRequire(import.meta.url);
  require('ioredis');
  // The copy that the mapper uses, wherever that lies.
  const mapper = createRequire(require.resolve('@mikro-orm/postgresql'));
  createRequire(mapper.resolve('pg'))('pg-pool');
  mapper('pg');
}
