import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * All that a span may say besides its name, times and ids. Text of statements is in: values are never part of it, they travel
 * beside it. Addresses, urls, headers, and whatever an instrumentation may come to add, stay out.
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

/** Passes on spans with what is allowed alone: no events, which quote errors, no links, no words about a status. */
export const withAllowedOnly = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(reduced), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});

/** The other properties stay those of the span. */
const reduced = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: allowedOf(span.attributes) },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  });

const allowedOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => allowedAttributes.has(name)));
