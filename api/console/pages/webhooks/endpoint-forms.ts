import { dayInZone } from '#contract/time.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { choice, form, sure } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import { dayField } from '../../values/days.ts';
import type { FoundEndpoint } from './find-endpoint.ts';

/** Hours. */
export const overlaps = ['0', '1', '24', '168'] as const;

/** Why nothing was changed, and the field at fault if there is one. */
export type Fault = { text: string } & (
  | { code: string; beside?: never }
  | { code?: never; beside: 'failed_from' | 'failed_until' | 'overlap' | 'sure' }
);

const faultBeside = (fault: Fault | undefined, name: Fault['beside']): string | undefined =>
  fault?.beside === name ? fault?.text : undefined;

/** What a member can do with an active endpoint. */
export function endpointForms(
  request: MemberRequest,
  { endpoint }: FoundEndpoint,
  fault: Fault | undefined,
): Markup {
  const t = request.text.webhookActions;
  const section = (title: string, text: string, action: string, inside: Markup) =>
    html`<section><h3>${title}</h3><p>${text}</p>${form(request, `/webhooks/${endpoint.id}/${action}`, inside)}</section>`;
  return html`
    <h2>${t.title}</h2>
    ${section(t.failed.title, t.failed.text, 'resend-failed', failedFields(request, fault))}
    ${section(t.test.title, t.test.text, 'test', html`<button>${t.test.title}</button>`)}
    ${section(
      t.rotate.title,
      t.rotate.text,
      'rotate',
      html`${choice({ name: 'overlap', label: t.rotate.overlap, value: '24', fault: faultBeside(fault, 'overlap'), options: overlaps.map((value) => ({ value, name: t.rotate.overlaps[value] })) })}
        <button>${t.rotate.title}</button>`,
    )}
    ${
      endpoint.pausedAt === null || endpoint.pausedBy === 'operator'
        ? section(
            t.pause.title,
            t.pause.text,
            'pause',
            html`<button class="secondary">${t.pause.title}</button>`,
          )
        : section(t.resume.title, t.resume.text, 'resume', html`<button>${t.resume.title}</button>`)
    }
    ${section(t.remove.title, t.remove.text, 'delete', html`${sure(request.text.sure, faultBeside(fault, 'sure'))}<button class="danger">${t.remove.title}</button>`)}
  `;
}

/** The day of today, until a member types another. */
function failedFields(request: MemberRequest, fault: Fault | undefined): Markup {
  const { ctx, form: sent, text, member } = request;
  const t = text.webhookActions.failed;
  const today = dayInZone(ctx.clock.now(), member.timeZone);
  const day = (name: 'failed_from' | 'failed_until', label: string) =>
    dayField(request, {
      ...{ name, label, required: true, value: sent.get(name) ?? today },
      fault: faultBeside(fault, name),
    });
  return html`${day('failed_from', t.from)}${day('failed_until', t.until)}<button>${t.button}</button>`;
}
