import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * The only attributes that may be exported with a span. Query texts are allowed, since they never contain the
 * values of parameters. Addresses, URLs and headers are not allowed. If a future version of an
 * instrumentation adds an attribute, that attribute is not exported.
 */
const allowedAttributes = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'request.id',
  'action',
  'error.type',
  'db.system.name',
  'db.operation.name',
  'db.query.text',
  'db.response.status_code',
  'temporalWorkflowID',
  'webhook.attempt',
  'webhook.phase',
]);

/**
 * Exports spans with allowed attributes only. Events, links and status messages are removed, since they can
 * quote errors.
 */
export const withAllowedOnly = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(reduced), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});

/** The span is the prototype of the result, so that the result inherits all other properties. */
const reduced = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: allowedOf(span.attributes) },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  });

const allowedOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => allowedAttributes.has(name)));
