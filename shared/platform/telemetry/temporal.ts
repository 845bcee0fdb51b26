import { type Context, context, type SpanContext, trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { traceHeader } from '#contract/workflows.ts';
import { inSpan } from './tracer.ts';

/**
 * This file propagates traces through Temporal. A call that starts or updates a workflow sends its span context in a header. The
 * workflow copies that header to its activities (`workflows/trace-header.ts`), and an activity continues the trace. Temporal's own
 * interceptors use the same header format in all languages.
 */

function withSpanContext(headers: Headers): Headers {
  const spanContext = trace.getSpanContext(context.active());
  if (spanContext === undefined) return headers;
  const carrier = defaultPayloadConverter.toPayload({ traceparent: traceparentOf(spanContext) });
  return carrier === undefined ? headers : { ...headers, [traceHeader]: carrier };
}

function contextIn(headers: Headers): Context {
  const carrier = headers[traceHeader];
  if (carrier === undefined) return context.active();
  const { traceparent = '' } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(carrier);
  const spanContext = spanContextOf(traceparent);
  return spanContext === undefined ? context.active() : trace.setSpanContext(context.active(), spanContext);
}

/**
 * The format is W3C Trace Context, version 00. `traceparentOf` and `spanContextOf` replace OpenTelemetry's propagator, which would
 * be a further dependency.
 */
const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

const asked = (workflowId: string | undefined) => ({
  kind: 'client' as const,
  attributes: { temporalWorkflowID: workflowId },
});

export const tracedClient: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(`start ${input.workflowType}`, asked(input.options.workflowId), () =>
      next({ ...input, headers: withSpanContext(input.headers) }),
    ),
  startUpdateWithStart: (input, next) =>
    inSpan(`update ${input.updateName}`, asked(input.workflowStartOptions.workflowId), () =>
      next({
        ...input,
        workflowStartHeaders: withSpanContext(input.workflowStartHeaders),
        updateHeaders: withSpanContext(input.updateHeaders),
      }),
    ),
};

type ActivityNames = { activityType: string; workflowExecution?: { workflowId: string } | undefined };

export const tracedActivity = ({
  activityType,
  workflowExecution,
}: ActivityNames): ActivityInboundCallsInterceptor => ({
  execute: (input, next) =>
    context.with(contextIn(input.headers), () =>
      inSpan(
        activityType,
        { kind: 'consumer', attributes: { temporalWorkflowID: workflowExecution?.workflowId } },
        () => next(input),
      ),
    ),
});
