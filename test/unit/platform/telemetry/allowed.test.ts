import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { withAllowedOnly } from '#platform/telemetry/allowed.ts';

test('a span leaves with listed attributes alone: no event, no link, no words', async () => {
  const kept = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: withAllowedOnly(kept) })],
  });
  const other = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
  const span = provider.getTracer('test').startSpan('pg.query:INSERT kyc', {
    attributes: { 'db.operation.name': 'INSERT', 'server.address': 'secret', 'url.full': 'secret' },
    links: [{ context: other, attributes: { 'link.note': 'secret' } }],
  });
  span.recordException(new Error('secret: Key (reference)=(secret) already exists'));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'secret' });
  span.end();
  await provider.forceFlush();

  const [left] = kept.getFinishedSpans();
  expect(left).toMatchObject({
    name: 'pg.query:INSERT kyc',
    attributes: { 'db.operation.name': 'INSERT' },
    events: [],
    links: [],
    status: { code: SpanStatusCode.ERROR },
  });
  expect(left?.spanContext()).toEqual(span.spanContext());
  expect(JSON.stringify([left?.attributes, left?.events, left?.links, left?.status])).not.toContain('secret');
});
