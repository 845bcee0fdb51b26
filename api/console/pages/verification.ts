import { html } from 'htm/preact';
import { type Environment, environments } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import { cancelByMember, eraseByMember, renewLinkByMember } from '#services/verifications/by-member.ts';
import { requireVerification } from '#services/verifications/get.ts';
import { type History, historyOf } from '#services/verifications/history.ts';
import { verifyUrl } from '#services/verifications/link.ts';
import { reasonIn } from '#services/verifications/reason-in.ts';
import type { Markup } from '../../pages/markup.ts';
import { form, shownOnce, when } from '../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../request.ts';
import { may } from '../roles.ts';
import { verificationTexts } from '../texts-verifications.ts';
import { notFound } from '../trouble.ts';
import { historyTable } from './history.ts';

/** A verification of the member's organisation, in whichever environment it is. */
export type Found = { row: VerificationRow; scope: Scope; environment: Environment };
type VerificationRow = Awaited<ReturnType<typeof requireVerification>>;
type Scope = MemberRequest['member']['scopes'][Environment];

export async function findVerification({ ctx, member, params }: MemberRequest): Promise<Found | undefined> {
  const id = params.id ?? '';
  if (!uuid.safeParse(id).success) return undefined;
  for (const environment of environments) {
    const scope = member.scopes[environment];
    const row = await requireVerification({ ...ctx, scope }, id).catch(unlessUnknown);
    if (row !== undefined) return { row, scope, environment };
  }
  return undefined;
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'verification_not_found') throw error;
}

type Fault = { text: string; beside?: 'erase' };

async function show(request: MemberRequest, found: Found, fault?: Fault): Promise<View> {
  const { ctx } = request;
  const history = await historyOf({ ...ctx, scope: found.scope }, found.row.id);
  const t = verificationTexts[request.language];
  return {
    title: found.row.reference ?? t.one,
    ...(fault && { status: fault.beside === undefined ? (409 as const) : (422 as const), isFaulty: true }),
    body: html`
      ${fault === undefined || fault.beside !== undefined ? null : html`<p role="alert">${fault.text}</p>`}
      <h2>${t.parts.state}</h2>
      ${stateOf(request, found)}
      <h2>${t.parts.verdict}</h2>
      ${verdictOf(request, found.row)}
      <h2>${t.parts.deliveries}</h2>
      ${deliveriesOf(request, history)}
      <h2>${t.parts.history}</h2>
      ${historyTable(request, history)}
      ${may(request.member.role, 'verifications.change') ? orders(request, found, fault) : null}
      ${mayReopen(request, found) ? reopening(request, found) : null}
      ${may(request.member.role, 'dossiers.make') ? html`<p>${t.orders.dossierText}<br /><code>npm run --silent dossier -- ${found.row.id}</code></p>` : null}
      <p><a href=${`/verifications?environment=${found.environment}`}>${request.text.back}</a></p>
    ` as Markup,
  };
}

function stateOf(request: MemberRequest, { row, environment }: Found): Markup {
  const { text, language, ctx, member } = request;
  const t = verificationTexts[language];
  const { fields } = t;
  const isOpen = row.status !== 'completed';
  const state =
    row.cancelledAt !== null && isOpen ? `${t.statuses[row.status]}, ${t.cancelled}` : t.statuses[row.status];
  const canOpen = isOpen && row.cancelledAt === null && row.linkExpiresAt > ctx.clock.now();
  return html`
    <dl>
      <div><dt>${fields.id}</dt><dd><code>${row.id}</code></dd></div>
      <div><dt>${fields.reference}</dt><dd>${row.reference ?? t.noReference}</dd></div>
      <div><dt>${fields.environment}</dt><dd><span class=${`tag ${environment}`}>${text.environments[environment]}</span></dd></div>
      <div><dt>${fields.method}</dt><dd>${t.methods[row.method]}</dd></div>
      <div><dt>${fields.status}</dt><dd>${state}</dd></div>
      <div><dt>${fields.created}</dt><dd>${when(request, row.createdAt)}</dd></div>
      <div><dt>${fields.dossier}</dt><dd><code>${row.dossierRef}</code></dd></div>
      ${isOpen ? html`<div><dt>${fields.linkExpires}</dt><dd>${when(request, row.linkExpiresAt)}</dd></div>` : null}
    </dl>
    ${may(member.role, 'verifications.change') && isOpen ? html`<h3>${fields.link}</h3>${canOpen ? shownOnce('link', verifyUrl(ctx, row), t.copy, t.copied) : html`<p>${t.linkGone}</p>`}` : null}
  ` as Markup;
}

export function verdictOf(
  { language }: MemberRequest,
  { verdict }: Pick<VerificationRow, 'verdict'>,
): Markup {
  const t = verificationTexts[language];
  if (verdict === null) return html`<p>${t.noVerdict}</p>` as Markup;
  const { fields } = t;
  return html`
    <dl>
      <div><dt>${fields.outcome}</dt><dd><span class=${`tag ${verdict.outcome}`}>${t.outcomes[verdict.outcome]}</span></dd></div>
      <div><dt>${fields.assurance}</dt><dd>${verdict.assuranceLevel}</dd></div>
      <div><dt>${fields.reasons}</dt><dd>${verdict.reasonIds.map((id) => html`<p>${reasonIn(language, id)}</p>`)}</dd></div>
      <div><dt>${fields.reviewed}</dt><dd>${verdict.reviewed ? t.byReviewer : t.byMachine}</dd></div>
    </dl>
    ${verdict.checks.length === 0 ? null : checksOf(t, verdict.checks)}
  ` as Markup;
}

export const checksOf = (
  t: (typeof verificationTexts)['en'],
  checks: NonNullable<VerificationRow['verdict']>['checks'],
): Markup =>
  html`
  <div class="table" role="region" aria-label=${t.parts.checks} tabindex="0">
    <table>
      <thead><tr><th scope="col">${t.fields.check}</th><th scope="col">${t.fields.result}</th><th scope="col">${t.fields.confidence}</th></tr></thead>
      <tbody>
        ${checks.map(
          ({ kind, result, confidence }) => html`
            <tr><th scope="row">${t.checks[kind]}</th><td><span class=${`tag ${result}`}>${t.results[result]}</span></td>
            <td>${result === 'not_applicable' ? '–' : `${Math.round(confidence * 100)} %`}</td></tr>
          `,
        )}
      </tbody>
    </table>
  </div>
` as Markup;

function deliveriesOf(request: MemberRequest, { deliveries }: History): Markup {
  const t = verificationTexts[request.language];
  if (deliveries.length === 0) return html`<p>${t.noDeliveries}</p>` as Markup;
  return html`
    <div class="table" role="region" aria-label=${t.parts.deliveries} tabindex="0">
      <table>
        <thead><tr><th scope="col">${t.fields.created}</th><th scope="col">${t.fields.event}</th><th scope="col">${t.fields.status}</th><th scope="col">${t.fields.attempts}</th></tr></thead>
        <tbody>
          ${deliveries.map(
            ({ createdAt, eventType, status, attempts }) =>
              html`<tr><td>${when(request, createdAt)}</td><th scope="row">${eventType}</th><td>${status}</td><td>${attempts.length}</td></tr>`,
          )}
        </tbody>
      </table>
    </div>
  ` as Markup;
}

function orders(request: MemberRequest, { row }: Found, fault: Fault | undefined): Markup {
  const t = verificationTexts[request.language].orders;
  const isOpen = row.status !== 'completed';
  const to = (order: string) => `/verifications/${row.id}/${order}`;
  const section = (title: string, text: string, order: string, button: Markup) =>
    html`<section><h3>${title}</h3><p>${text}</p>${form(request, to(order), button)}</section>`;
  const eraseFault = fault?.beside === 'erase' ? fault.text : undefined;
  return html`
    <h2>${verificationTexts[request.language].parts.actions}</h2>
    ${isOpen ? section(t.link, t.linkText, 'link', html`<button>${t.link}</button>` as Markup) : null}
    ${isOpen && row.cancelledAt === null && row.submittedAt === null ? section(t.cancel, t.cancelText, 'cancel', html`<button>${t.cancel}</button>` as Markup) : null}
    ${
      may(request.member.role, 'verifications.erase')
        ? section(
            t.erase,
            t.eraseText,
            'erase',
            html`
            <label class="box"><input type="checkbox" name="sure" value="yes" aria-describedby=${eraseFault && 'sure-fault'} aria-invalid=${eraseFault && 'true'} /> ${t.eraseConfirm}</label>
            ${eraseFault === undefined ? null : html`<strong class="fault" id="sure-fault">${eraseFault}</strong>`}
            <button class="danger">${t.erase}</button>
          ` as Markup,
          )
        : null
    }
  ` as Markup;
}

const mayReopen = ({ member }: MemberRequest, { row }: Found): boolean =>
  may(member.role, 'queue.decide') && row.verdict?.outcome === 'rejected' && !row.verdict.reviewed;

const reopening = (request: MemberRequest, { row }: Found): Markup => {
  const t = verificationTexts[request.language].orders;
  return html`<section><h3>${t.reopen}</h3><p>${t.reopenText}</p>${form(request, `/verifications/${row.id}/reopen`, html`<button>${t.reopen}</button>` as Markup)}</section>` as Markup;
};

type Change = (request: MemberRequest, found: Found) => Promise<unknown>;

/** Carries out a member's order, and shows the verification as it is afterwards, or why nothing was changed. */
const ordered =
  (change: Change) =>
  async (request: MemberRequest): Promise<Answer> => {
    const found = await findVerification(request);
    if (found === undefined) return notFound(request);
    try {
      await change(request, found);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const refused = verificationTexts[request.language].orders.refused as Record<string, string>;
      const text = refused[error.code];
      if (text === undefined) throw error;
      return show(request, (await findVerification(request)) ?? found, { text });
    }
    return { to: `/verifications/${found.row.id}`, notice: 'saved' };
  };

const contextOf = ({ ctx }: MemberRequest, { scope }: Found) => ({ ...ctx, scope });
const memberOf = ({ member }: MemberRequest) => ({ id: member.memberId });

const erase = ordered((request, found) =>
  eraseByMember(contextOf(request, found), memberOf(request), found.row.id),
);

export const verificationPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/verifications/:id',
    for: 'verifications.see',
    run: async (request) => {
      const found = await findVerification(request);
      return found === undefined ? notFound(request) : show(request, found);
    },
  },
  {
    method: 'POST',
    path: '/verifications/:id/link',
    for: 'verifications.change',
    run: ordered((request, found) =>
      renewLinkByMember(contextOf(request, found), memberOf(request), found.row.id),
    ),
  },
  {
    method: 'POST',
    path: '/verifications/:id/cancel',
    for: 'verifications.change',
    run: ordered((request, found) =>
      cancelByMember(contextOf(request, found), memberOf(request), found.row.id),
    ),
  },
  {
    method: 'POST',
    path: '/verifications/:id/erase',
    for: 'verifications.erase',
    run: async (request) => {
      if (request.form.get('sure') === 'yes') return erase(request);
      const found = await findVerification(request);
      if (found === undefined) return notFound(request);
      const text = verificationTexts[request.language].orders.eraseMissing;
      return show(request, found, { text, beside: 'erase' });
    },
  },
];
