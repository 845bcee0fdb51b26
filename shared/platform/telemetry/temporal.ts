import { type Context, context, type SpanContext, trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { traceHeader } from '#contract/workflows.ts';
import { inSpan } from './tracer.ts';

/**
 * A trace's way through Temporal: what starts or updates a workflow sends its place in the trace along, the workflow hands it on
 * to its activities (`workflows/trace-header.ts`), and they go on from there.
 */

/** In the form in which Temporal's own interceptors, of any language, write it. */
function withPlace(headers: Headers): Headers {
  const place = trace.getSpanContext(context.active());
  if (place === undefined) return headers;
  const carrier = defaultPayloadConverter.toPayload({ traceparent: traceparentOf(place) });
  return carrier === undefined ? headers : { ...headers, [traceHeader]: carrier };
}

function placeIn(headers: Headers): Context {
  const carrier = headers[traceHeader];
  if (carrier === undefined) return context.active();
  const { traceparent = '' } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(carrier);
  const place = spanContextOf(traceparent);
  return place === undefined ? context.active() : trace.setSpanContext(context.active(), place);
}

/** W3C Trace Context, version 00. */
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
      next({ ...input, headers: withPlace(input.headers) }),
    ),
  startUpdateWithStart: (input, next) =>
    inSpan(`update ${input.updateName}`, asked(input.workflowStartOptions.workflowId), () =>
      next({
        ...input,
        workflowStartHeaders: withPlace(input.workflowStartHeaders),
        updateHeaders: withPlace(input.updateHeaders),
      }),
    ),
};

type ActivityNames = { activityType: string; workflowExecution?: { workflowId: string } | undefined };

export const tracedActivity = ({
  activityType,
  workflowExecution,
}: ActivityNames): ActivityInboundCallsInterceptor => ({
  execute: (input, next) =>
    context.with(placeIn(input.headers), () =>
      inSpan(
        activityType,
        { kind: 'consumer', attributes: { temporalWorkflowID: workflowExecution?.workflowId } },
        () => next(input),
      ),
    ),
});
