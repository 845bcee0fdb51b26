import { Problem } from '#contract/errors.ts';
import { dayMs } from '#contract/time.ts';
import { pauseWebhook, resumeWebhook } from '#services/deliveries/pause-endpoint.ts';
import { orderResends } from '#services/deliveries/resend-failed.ts';
import { testWebhook } from '#services/deliveries/test-webhook.ts';
import { deleteWebhook } from '#services/webhooks/delete.ts';
import { rotateSecret } from '#services/webhooks/rotate-secret.ts';
import { ifSure } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../../request.ts';
import { readDays } from '../../values/days.ts';
import { type Fault, overlaps } from './endpoint-forms.ts';
import { type FoundEndpoint, withEndpoint } from './find-endpoint.ts';
import { endpointView } from './webhook.ts';
import { secretView } from './webhook-form.ts';

type Run = (request: MemberRequest, found: FoundEndpoint) => Promise<Answer>;

/** If the change is refused, nothing was changed, and the page of the endpoint says why. */
const refusable = (run: Run) =>
  withEndpoint(async (request, found): Promise<Answer> => {
    try {
      return await run(request, found);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const refused = request.text.webhookActions.refused as Record<string, string>;
      const text = refused[error.code];
      if (text === undefined) throw error;
      return endpointView(request, found, { text, code: error.code });
    }
  });

async function rotate(request: MemberRequest, found: FoundEndpoint): Promise<View> {
  const hours = overlaps.find((each) => each === request.form.get('overlap'));
  if (hours === undefined)
    return endpointView(request, found, {
      ...{ text: request.text.webhookActions.rotate.fault, beside: 'overlap' },
    });
  const wanted = { id: found.endpoint.id, overlap_hours: Number(hours) };
  const { body } = await rotateSecret(request.ctx, request.callers.live, wanted);
  return secretView(request, JSON.parse(body));
}

/** An endpoint of both environments gets the test from sandbox. */
async function sendTest({ ctx, callers }: MemberRequest, { endpoint }: FoundEndpoint): Promise<Answer> {
  const caller = callers[endpoint.environment === 'live' ? 'live' : 'sandbox'];
  const { deliveryId } = await testWebhook(ctx, caller, endpoint);
  return { to: `/deliveries/${deliveryId}`, notice: 'test_sent' };
}

async function remove({ ctx, callers }: MemberRequest, { endpoint }: FoundEndpoint): Promise<Answer> {
  await deleteWebhook(ctx, callers.live, endpoint);
  return { to: `/webhooks/${endpoint.id}`, notice: 'endpoint_deleted' };
}

const removeIfSure: Run = ifSure(remove, (request, text, found) =>
  endpointView(request, found, { text, beside: 'sure' }),
);

const pausing =
  (change: typeof pauseWebhook, notice: 'paused' | 'resumed'): Run =>
  async ({ ctx, callers }, { endpoint }) => {
    const { byOperator } = await change(ctx, callers.live, endpoint);
    return { to: `/webhooks/${endpoint.id}`, notice: byOperator ? 'paused_by_operator' : notice };
  };

const spanDaysMax = 31;

async function resendFailed(request: MemberRequest, found: FoundEndpoint): Promise<Answer> {
  const t = request.text.webhookActions.failed;
  const refuse = (text: string, beside: NonNullable<Fault['beside']>) =>
    endpointView(request, found, { text, beside });
  const typed = (name: string) => request.form.get(name) ?? '';
  const days = new URLSearchParams({ from: typed('failed_from'), until: typed('failed_until') });
  const { from, before, faults } = readDays(days, request.member.timeZone, t.wrongDay);
  if (faults?.from !== undefined || days.get('from') === '') return refuse(t.wrongDay, 'failed_from');
  if (from === undefined || before === undefined) return refuse(t.wrongDay, 'failed_until');
  // A day can have 23 or 25 hours.
  const spanDays = Math.round((before.getTime() - from.getTime()) / dayMs);
  if (spanDays < 1 || spanDays > spanDaysMax) return refuse(t.wrongSpan, 'failed_until');
  const wanted = { id: found.endpoint.id, createdFrom: from, createdBefore: before };
  const ordered = await orderResends(request.ctx, request.callers.live, wanted);
  if ('refused' in ordered) {
    const code = ordered.refused;
    return endpointView(request, found, { text: t[code], code });
  }
  return { to: `/webhooks/${found.endpoint.id}`, notice: 'resends_ordered' };
}

export const webhookActionPages: readonly ConsolePage[] = [
  { method: 'POST', path: '/webhooks/:id/rotate', for: 'webhooks.change', run: refusable(rotate) },
  { method: 'POST', path: '/webhooks/:id/test', for: 'webhooks.change', run: refusable(sendTest) },
  {
    method: 'POST',
    path: '/webhooks/:id/resend-failed',
    for: 'webhooks.change',
    run: refusable(resendFailed),
  },
  {
    ...{ method: 'POST', path: '/webhooks/:id/pause', for: 'webhooks.change' },
    run: refusable(pausing(pauseWebhook, 'paused')),
  },
  {
    ...{ method: 'POST', path: '/webhooks/:id/resume', for: 'webhooks.change' },
    run: refusable(pausing(resumeWebhook, 'resumed')),
  },
  { method: 'POST', path: '/webhooks/:id/delete', for: 'webhooks.change', run: refusable(removeIfSure) },
];
