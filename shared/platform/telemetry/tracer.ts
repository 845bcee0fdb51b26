import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Creates spans after a provider is registered (`traces.ts`). Before that, the tracer does nothing. */
export const tracer = trace.getTracer('verification-service');

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let areCollected = false;
/** After this call, `inSpan` creates spans. Before this call, `inSpan` only runs its work. */
export const spansAreCollected = (): void => {
  areCollected = true;
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/**
 * Runs `work` in a span. If `work` throws, the span gets the status ERROR and the type, code or class of the
 * error. The span never gets the message of the error.
 */
export function inSpan<Result>(
  name: string,
  { kind, attributes = {} }: { kind: keyof typeof kinds; attributes?: Attributes },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!areCollected) return work(noSpan);
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const { type, code } = error as { type?: unknown; code?: unknown };
      span.setAttribute('error.type', String(type ?? code ?? (error as Error).constructor.name));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
