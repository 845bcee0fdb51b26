import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Creates spans once a provider is registered (`traces.ts`). Until then it does nothing. */
export const tracer = trace.getTracer('verification-service');

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let areCollected = false;
/** Until this is called, `inSpan` makes no span and costs nothing. */
export const spansAreCollected = (): void => {
  areCollected = true;
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Runs `work` in a span. If it throws, the span gets the status ERROR and the error's code, never its message. */
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
