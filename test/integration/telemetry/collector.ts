import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number };
  attributes: Attribute[];
};

export type Collected = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  failed: boolean;
  attributes: Record<string, unknown>;
};

const failedCode = 2;

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** Starts a collector for OTLP over HTTP with JSON. The collector keeps every byte. If `silent`, it answers nothing. */
export async function startCollector({ silent = false } = {}) {
  const received: { path: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', body: await text(request) });
    if (!silent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bodiesAt = (path: string) =>
    received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,

    spans: (): Collected[] =>
      bodiesAt('/v1/traces')
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ resource, scopeSpans }) => {
          const service = String(valuesOf(resource.attributes)['service.name']);
          const spans: OtlpSpan[] = scopeSpans.flatMap(({ spans }: { spans: OtlpSpan[] }) => spans);
          return spans.map(({ name, traceId, spanId, parentSpanId, status, attributes }) => ({
            service,
            name,
            traceId,
            spanId,
            parentSpanId: parentSpanId || undefined,
            failed: status.code === failedCode,
            attributes: valuesOf(attributes),
          }));
        }),

    /** Names of the metrics that arrived from this service. */
    metrics: (service: string): Set<string> =>
      new Set(
        bodiesAt('/v1/metrics')
          .flatMap(({ resourceMetrics }) => resourceMetrics)
          .filter(({ resource }) => valuesOf(resource.attributes)['service.name'] === service)
          .flatMap(({ scopeMetrics }) => scopeMetrics)
          .flatMap(({ metrics }) => metrics.map(({ name }: { name: string }) => name)),
      ),

    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
