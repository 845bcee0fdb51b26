import { Problem } from '#contract/errors.ts';
import { may } from '#policy/rights.ts';
import { type DeliveryInFull, findDelivery } from '#services/deliveries/look-up.ts';
import { resendDelivery } from '#services/deliveries/resend.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form, when } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../../request.ts';
import { endOf, notFound } from '../../trouble.ts';
import { attemptOf } from './attempt.ts';
import { verbatim } from './delivery-parts.ts';

/** Runs with the delivery that the path names, or shows that there is none. Deliveries of both environments are found. */
const withDelivery =
  (run: (request: MemberRequest, delivery: DeliveryInFull) => Promise<Answer> | Answer) =>
  async (request: MemberRequest): Promise<Answer> => {
    const { ctx, callers, params } = request;
    const found = await findDelivery(ctx, callers.live, { id: params.id ?? '' }).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return undefined;
    });
    return found === undefined ? notFound(request) : run(request, found);
  };

type Refused = { code: string; text: string };

function deliveryView(request: MemberRequest, delivery: DeliveryInFull, refused?: Refused): View {
  const t = request.text.webhooks;
  return {
    title: `${t.delivery.title}: ${delivery.eventType}`,
    ...endOf(refused?.code),
    body: html`
      ${refused && html`<p role="alert">${refused.text}</p>`}
      ${about(request, delivery)}
      <h2>${t.delivery.attempts}</h2>
      ${delivery.attempts.length === 0 ? html`<p>${t.delivery.none}</p>` : delivery.attempts.map((attempt) => attemptOf(request, attempt))}
      <h2>${t.delivery.body}</h2>
      ${bodyOf(request, delivery)}
      ${resending(request, delivery)}
      <p><a href=${`/webhooks/${delivery.endpointId}#deliveries`}>${request.text.back}</a></p>
    `,
  };
}

function about(request: MemberRequest, delivery: DeliveryInFull): Markup {
  const { text } = request;
  const { delivery: t, deliveries, statuses, triggers, fields } = request.text.webhooks;
  const { environment, verificationId } = delivery;
  return html`
    <dl>
      <div><dt>${t.endpoint}</dt><dd><a href=${`/webhooks/${delivery.endpointId}`}><code>${delivery.url}</code></a></dd></div>
      <div><dt>${deliveries.event}</dt><dd><code>${delivery.eventId}</code></dd></div>
      <div><dt>${deliveries.status}</dt><dd><span class=${`tag ${delivery.status}`}>${statuses[delivery.status]}</span></dd></div>
      <div><dt>${deliveries.trigger}</dt><dd>${triggers[delivery.trigger]}</dd></div>
      <div><dt>${fields.environment}</dt><dd><span class=${`tag ${environment}`}>${text.environments[environment]}</span></dd></div>
      <div><dt>${deliveries.created}</dt><dd>${when(request, delivery.createdAt)}</dd></div>
      <div><dt>${deliveries.next}</dt><dd>${isHeld(delivery) ? deliveries.held : when(request, delivery.nextAttemptAt)}</dd></div>
      ${verificationId === null ? null : html`<div><dt>${t.verification}</dt><dd><a href=${`/verifications/${verificationId}`}><code>${verificationId}</code></a></dd></div>`}
    </dl>
  `;
}

const isHeld = ({ pausedAt, nextAttemptAt, trigger }: DeliveryInFull): boolean =>
  pausedAt !== null && nextAttemptAt !== null && trigger !== 'test';

function resending(request: MemberRequest, { id, active, hasBody }: DeliveryInFull): Markup | null {
  const { title, text } = request.text.webhookActions.resend;
  if (!active || !hasBody || !may(request.member.role, 'webhooks.change')) return null;
  return html`<section><h2>${title}</h2><p>${text}</p>${form(request, `/deliveries/${id}/resend`, html`<button>${title}</button>`)}</section>`;
}

async function resend(request: MemberRequest, delivery: DeliveryInFull): Promise<Answer> {
  const { ctx, callers } = request;
  const which = { id: delivery.endpointId, delivery_id: delivery.id };
  try {
    const { body } = await resendDelivery(ctx, callers.live, which);
    return { to: `/deliveries/${JSON.parse(body).id}`, notice: 'resent' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const refused = request.text.webhookActions.refused as Record<string, string>;
    const text = refused[error.code];
    if (text === undefined) throw error;
    return deliveryView(request, delivery, { code: error.code, text });
  }
}

function bodyOf(request: MemberRequest, { body, hasBody }: DeliveryInFull): Markup {
  const { delivery: t } = request.text.webhooks;
  if (!hasBody) return html`<p>${t.noBody}</p>`;
  if (body === null) return html`<p>${t.hidden}</p>`;
  return html`<p>${t.sameBody}</p>${verbatim(body, t.body)}`;
}

export const deliveryPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/deliveries/:id',
    for: 'webhooks.see',
    run: withDelivery((request, delivery) => deliveryView(request, delivery)),
  },
  { method: 'POST', path: '/deliveries/:id/resend', for: 'webhooks.change', run: withDelivery(resend) },
];
