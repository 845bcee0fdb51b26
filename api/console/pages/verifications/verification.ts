import { isIncome, type Scenario, scenarios } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { may } from '#policy/rights.ts';
import { lookAtEvidence } from '#services/reviews/evidence.ts';
import type { Shown } from '#services/reviews/pictures.ts';
import { cancelCase } from '#services/verifications/cancel.ts';
import { completeCase } from '#services/verifications/complete.ts';
import { eraseCase } from '#services/verifications/erase.ts';
import { type History, historyOf } from '#services/verifications/history.ts';
import { renewLinkOfCase } from '#services/verifications/renew-link.ts';
import { noLink, verifyUrl } from '#services/views/link.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { choice, form, ifSure, shownOnce, sure, when } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../../request.ts';
import { table } from '../../table.ts';
import { endOf, notFound } from '../../trouble.ts';
import { hasEnded, stateInWords } from '../../values/state-in-words.ts';
import { endInWords } from '../webhooks/delivery-parts.ts';
import { dossierForms } from './dossiers.ts';
import { evidenceSection } from './evidence.ts';
import { type Found, findVerification } from './find-verification.ts';
import { historyTable } from './history.ts';
import { queuePath } from './queue.ts';
import { verdictOf } from './verdict.ts';

type Fault = { text: string } & (
  | { code: string; beside?: never }
  | { code?: never; beside: 'erase' | 'cancel' | 'scenario' }
);
/** What the answer to a form shows besides the page. `shown` is evidence that was opened. */
type Extra = { fault?: Fault; shown?: Shown };

async function show(request: MemberRequest, found: Found, { fault, shown }: Extra = {}): Promise<View> {
  const { ctx } = request;
  const history = await historyOf(ctx, found.caller, found.row);
  const evidence = await evidenceSection(request, found, shown);
  const t = request.text.verifications;
  return {
    title: found.row.reference ?? (isIncome(found.row.method) ? request.text.income.one : t.one),
    ...endOf(fault?.code, fault !== undefined),
    hasPictures: shown !== undefined,
    body: html`
      ${fault === undefined || fault.beside !== undefined ? null : html`<p role="alert">${fault.text}</p>`}
      <h2>${t.parts.state}</h2>
      ${stateOf(request, found)}
      <h2>${t.parts.verdict}</h2>
      ${verdictOf(request, found.row)}
      ${evidence}
      <h2>${t.parts.deliveries}</h2>
      ${deliveriesOf(request, found, history)}
      <h2>${t.parts.history}</h2>
      ${historyTable(request, history)}
      ${temporalLink(request, found)}
      ${may(request.member.role, 'verifications.change') ? orders(request, found, fault) : null}
      ${mayReopen(request, found) ? reopening(request, found) : null}
      ${may(request.member.role, 'dossiers.make') ? dossierForms(request, found.row.id) : null}
      <p><a href=${listPath(request, found)}>${request.text.back}</a></p>
    `,
  };
}

/** A reviewer has the queue, and no search. */
const listPath = ({ member }: MemberRequest, { environment }: Found): string =>
  may(member.role, 'verifications.see')
    ? `/verifications?environment=${environment}`
    : queuePath(environment);

/** A link to the workflow, where the configuration says where Temporal's UI is. */
const temporalLink = ({ ctx, member, text }: MemberRequest, { row }: Found): Markup | null =>
  ctx.workflowsUrl === undefined || !may(member.role, 'verifications.see')
    ? null
    : html`<p><a href=${ctx.workflowsUrl + encodeURIComponent(verificationWorkflowId(row.id))} rel="noreferrer">${text.history.inTemporal}</a></p>`;

/** True if a person can still come through a link, or through a fresh one. */
const hasLink = ({ status, linkVersion }: Found['row']): boolean =>
  status !== 'completed' && linkVersion !== noLink;

function stateOf(request: MemberRequest, { row, environment }: Found): Markup {
  const { text, ctx, member } = request;
  const t = text.verifications;
  const { fields } = t;
  const canOpen = hasLink(row) && row.cancelledAt === null && row.linkExpiresAt > ctx.clock.now();
  return html`
    <dl>
      <div><dt>${fields.id}</dt><dd><code>${row.id}</code></dd></div>
      <div><dt>${fields.reference}</dt><dd>${row.reference ?? t.noReference}</dd></div>
      <div><dt>${fields.environment}</dt><dd><span class=${`tag ${environment}`}>${text.environments[environment]}</span></dd></div>
      <div><dt>${fields.method}</dt><dd>${t.methods[row.method]}</dd></div>
      <div><dt>${fields.status}</dt><dd>${stateInWords(text, row, ctx.clock.now())}</dd></div>
      <div><dt>${fields.created}</dt><dd>${when(request, row.createdAt)}</dd></div>
      <div><dt>${fields.dossier}</dt><dd><code>${row.dossierRef}</code></dd></div>
      ${hasLink(row) ? html`<div><dt>${fields.linkExpires}</dt><dd>${when(request, row.linkExpiresAt)}</dd></div>` : null}
    </dl>
    ${may(member.role, 'verifications.change') && hasLink(row) ? html`<h3>${fields.link}</h3>${canOpen ? shownOnce('link', verifyUrl(ctx, row), t.copy, t.copied) : html`<p>${t.linkGone}</p>`}` : null}
  `;
}

function noDeliveriesBecause({ ctx, text }: MemberRequest, row: Found['row']): string {
  const { verifications: t } = text;
  if (row.status === 'completed') return t.noDeliveries;
  return hasEnded(row, ctx.clock.now()) ? t.noVerdictToCome : t.noEvent;
}

function deliveriesOf(request: MemberRequest, { row }: Found, { deliveries }: History): Markup {
  const t = request.text.verifications;
  if (deliveries.length === 0) return html`<p>${noDeliveriesBecause(request, row)}</p>`;
  const canOpen = may(request.member.role, 'webhooks.see');
  const { deliveries: d, delivery: one, statuses } = request.text.webhooks;
  const line = ({ id, eventType, status, attempts, url, nextAttemptAt }: History['deliveries'][number]) => {
    const last = attempts.findLast(({ outcome }) => outcome !== null);
    return {
      cells: [
        canOpen
          ? html`<a href=${`/deliveries/${id}`}>${eventType}</a><br /><small><code>${url}</code></small>`
          : eventType,
        html`<span class=${`tag ${status}`}>${statuses[status]}</span>`,
        attempts.length,
        last === undefined ? '–' : endInWords(request, last),
        when(request, nextAttemptAt),
      ],
    };
  };
  const event = canOpen ? `${d.event}, ${one.endpoint}` : d.event;
  return table(
    { label: t.parts.deliveries, columns: [event, d.status, d.attempts, d.last, d.next], names: 0 },
    deliveries.map(line),
  );
}

const canComplete = ({ row, environment }: Pick<Found, 'row' | 'environment'>): boolean =>
  row.status !== 'completed' && environment === 'sandbox';

/** Null if nothing can be done any more. */
function orders(
  request: MemberRequest,
  { row, environment }: Found,
  fault: Fault | undefined,
): Markup | null {
  const { sure: label } = request.text;
  const t = request.text.verifications.orders;
  const isOpen = row.status !== 'completed';
  const to = (order: string) => `/verifications/${row.id}/${order}`;
  const section = (title: string, text: string, order: string, button: Markup) =>
    html`<section><h3>${title}</h3><p>${text}</p>${form(request, to(order), button)}</section>`;
  const faultOf = (field: Fault['beside']) => (fault?.beside === field ? fault?.text : undefined);
  const sections = [
    canComplete({ row, environment }) &&
      section(
        t.complete,
        t.completeText,
        'complete',
        html`${choice({ name: 'scenario', label: t.scenario, value: 'approved', fault: faultOf('scenario'), options: scenarios.map((value) => ({ value, name: t.scenarios[value] })) })}<button>${t.complete}</button>`,
      ),
    hasLink(row) && section(t.link, t.linkText, 'link', html`<button class="secondary">${t.link}</button>`),
    isOpen &&
      row.cancelledAt === null &&
      row.submittedAt === null &&
      section(
        t.cancel,
        t.cancelText,
        'cancel',
        html`${sure(label, faultOf('cancel'))}<button class="danger">${t.cancel}</button>`,
      ),
    may(request.member.role, 'verifications.erase') &&
      section(
        t.erase,
        t.eraseText,
        'erase',
        html`${sure(t.eraseConfirm, faultOf('erase'))}<button class="danger">${t.erase}</button>`,
      ),
  ].filter((each) => each !== false);
  return sections.length === 0 ? null : html`<h2>${request.text.verifications.parts.actions}</h2>${sections}`;
}

const mayReopen = ({ member }: MemberRequest, { row }: Found): boolean =>
  may(member.role, 'queue.decide') && row.verdict?.outcome === 'rejected' && !row.verdict.reviewed;

const reopening = (request: MemberRequest, { row }: Found): Markup => {
  const t = request.text.verifications.orders;
  return html`<section><h3>${t.reopen}</h3><p>${t.reopenText}</p>${form(request, `/verifications/${row.id}/reopen`, html`<button>${t.reopen}</button>`)}</section>`;
};

/** The time for a worker to carry an order out. */
const orderMs = 8_000;

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
      const refused = request.text.verifications.orders.refused as Record<string, string>;
      const text = refused[error.code];
      if (text === undefined) throw error;
      const fault = { text, code: error.code };
      return show(request, (await findVerification(request)) ?? found, { fault });
    }
    return { to: `/verifications/${found.row.id}`, notice: 'saved' };
  };

/** Carries out an order that harms. */
const harming = (beside: 'cancel' | 'erase', run: (request: MemberRequest) => Promise<Answer>) =>
  ifSure(run, async (request, text) => {
    const found = await findVerification(request);
    return found === undefined ? notFound(request) : show(request, found, { fault: { text, beside } });
  });

const complete = (scenario: Scenario | undefined) =>
  ordered(({ ctx }, { caller, row: { id } }) => {
    const deadlineAt = ctx.clock.now().getTime() + orderMs;
    return completeCase({ ...ctx, deadlineAt }, caller, { id, scenario });
  });

export const verificationPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/verifications/:id',
    for: 'verifications.open',
    run: async (request) => {
      const found = await findVerification(request);
      return found === undefined ? notFound(request) : show(request, found);
    },
  },
  {
    method: 'POST',
    path: '/verifications/:id/evidence',
    for: 'evidence.see',
    run: async (request) => {
      const found = await findVerification(request);
      if (found === undefined) return notFound(request);
      const shown = await lookAtEvidence(request.ctx, found.caller, found.row);
      return shown === null
        ? { ...(await show(request, found)), status: 409, refused: 'no_evidence' }
        : show(request, found, { shown });
    },
  },
  {
    method: 'POST',
    path: '/verifications/:id/link',
    for: 'verifications.change',
    run: ordered(({ ctx }, { caller, row: { id } }) => renewLinkOfCase(ctx, caller, { id })),
  },
  {
    method: 'POST',
    path: '/verifications/:id/complete',
    for: 'verifications.change',
    run: async (request) => {
      const found = await findVerification(request);
      if (found === undefined) return notFound(request);
      const scenario = scenarios.find((each) => each === request.form.get('scenario'));
      if (scenario !== undefined || !canComplete(found)) return complete(scenario)(request);
      const text = request.text.verifications.orders.scenarioMissing;
      return show(request, found, { fault: { text, beside: 'scenario' } });
    },
  },
  {
    method: 'POST',
    path: '/verifications/:id/cancel',
    for: 'verifications.change',
    run: harming(
      'cancel',
      ordered(({ ctx }, { caller, row: { id } }) => cancelCase(ctx, caller, { id })),
    ),
  },
  {
    method: 'POST',
    path: '/verifications/:id/erase',
    for: 'verifications.erase',
    run: harming(
      'erase',
      ordered(({ ctx }, { caller, row: { id } }) => eraseCase(ctx, caller, { id })),
    ),
  },
];
