import { webhookEnvironments } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { subscribableTypes } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { type CreatedWebhookEndpoint, CreateWebhook } from '#contract/webhook.ts';
import { createWebhook } from '#services/webhooks/create.ts';
import { html } from '../../../pages/markup.ts';
import { boxes, choice, field, form, shownOnce } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';

type Faults = Partial<Record<'url' | 'description' | 'event_types' | 'environment', string>>;

/** Shows what was typed before, with each fault beside its field. */
function formView(request: MemberRequest, faults: Faults = {}): View {
  const { form: sent, text } = request;
  const { make, fields, environments } = text.webhooks;
  const t = text.webhookActions.create;
  const isFaulty = Object.keys(faults).length > 0;
  const ticked = isFaulty ? sent.getAll('event_types') : ['verification.completed'];
  return {
    title: make,
    isFaulty,
    status: isFaulty ? 422 : 200,
    body: form(
      request,
      '/webhooks/new',
      html`
        ${field({ name: 'url', label: fields.url, hint: t.urlHint, fault: faults.url, value: sent.get('url'), type: 'url', maxlength: limits.webhookUrlLengthMax, required: true })}
        ${field({ name: 'description', label: fields.description, hint: t.descriptionHint, fault: faults.description, value: sent.get('description'), maxlength: limits.webhookDescriptionLengthMax })}
        ${boxes({ name: 'event_types', label: fields.events, fault: faults.event_types, ticked, options: subscribableTypes.map((value) => ({ value, name: value })) })}
        ${choice({ name: 'environment', label: fields.environment, fault: faults.environment, value: sent.get('environment') ?? 'all', options: webhookEnvironments.map((value) => ({ value, name: environments[value] })) })}
        <button>${make}</button>
        <p><a href="/webhooks">${text.back}</a></p>
      `,
    ),
  };
}

/** The secret, on the answer to the form. The answer is not stored, and the form cannot be sent again. */
export function secretView({ text }: MemberRequest, { id, secret }: CreatedWebhookEndpoint): View {
  const t = text.webhookActions.secret;
  return {
    title: t.title,
    body: html`
      <p>${t.text}</p>
      ${shownOnce('secret', secret, text.copy, text.copied)}
      <p><a role="button" class="secondary" href=${`/webhooks/${id}`}>${t.kept}</a></p>
    `,
  };
}

function read({ form: sent, text }: MemberRequest): CreateWebhook | { faults: Faults } {
  const { faults: said } = text.webhookActions.create;
  const description = sent.get('description')?.trim() || undefined;
  const read = CreateWebhook.safeParse({
    url: sent.get('url')?.trim() ?? '',
    ...(description !== undefined && { description }),
    event_types: sent.getAll('event_types'),
    environment: sent.get('environment') ?? '',
  });
  if (read.success) return read.data;
  const faults: Faults = {};
  for (const { path } of read.error.issues) {
    const name = String(path[0]) as keyof Faults;
    faults[name] = said[name];
  }
  return { faults };
}

async function create(request: MemberRequest): Promise<View> {
  const { ctx, callers } = request;
  const { faults: said } = request.text.webhookActions.create;
  const wanted = read(request);
  if ('faults' in wanted) return formView(request, wanted.faults);
  try {
    return secretView(request, await createWebhook(ctx, callers.live, wanted));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return formView(request, { url: error.code === 'too_many_webhooks' ? said.tooMany : said.url });
  }
}

export const webhookFormPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/webhooks/new', for: 'webhooks.change', run: (request) => formView(request) },
  { method: 'POST', path: '/webhooks/new', for: 'webhooks.change', run: create },
];
