import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Makes spans once somebody collects them (`traces.ts`); until then it makes nothing. */
export const tracer = trace.getTracer('verification-service');

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let areCollected = false;
/** From now on: until then not even the places of spans are kept. */
export const spansAreCollected = (): void => {
  areCollected = true;
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** The work as a span, which failed if the work did. What an error says is not in it: only its code, where it has one. */
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
