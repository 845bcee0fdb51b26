import { Problem } from '#contract/errors.ts';
import { may } from '#policy/rights.ts';
import { callerOfSignedInOperator } from '#services/caller.ts';
import { pauseWebhook, resumeWebhook } from '#services/deliveries/pause-endpoint.ts';
import {
  type EndpointAtWork,
  type InspectedOrganisation,
  inspectOrganisation,
} from '#services/inspection/organisation.ts';
import { changeSettings } from '#services/organisations/change-settings.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { empty, form, ifSure, isUuid, sure } from '../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../request.ts';
import { type Row, table } from '../table.ts';
import { endOf, notFound } from '../trouble.ts';
import { healthOf } from './webhooks/webhooks.ts';

const pageSize = 50;

/** A cursor that names no endpoint shows the first page. */
function find({ ctx, callers, params, query }: MemberRequest): Promise<InspectedOrganisation | undefined> {
  const id = params.id ?? '';
  const page = { id, limit: pageSize, starting_after: query.get('after') ?? undefined };
  return inspectOrganisation(ctx, callers.live, page).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return inspectOrganisation(ctx, callers.live, { id, limit: pageSize });
  });
}

/** Runs with the organisation that the path names, or shows that there is none. */
const withOrganisation =
  (run: (request: MemberRequest, found: InspectedOrganisation) => Promise<Answer> | Answer) =>
  async (request: MemberRequest): Promise<Answer> => {
    const found = await find(request);
    return found === undefined ? notFound(request) : run(request, found);
  };

/** `beside`: the form whose box is not ticked. It is the id of an endpoint, or `organisation`. */
type Fault = { text: string } & ({ code: string; beside?: never } | { code?: never; beside: string });

function show(request: MemberRequest, found: InspectedOrganisation, fault?: Fault): View {
  const { organisation: t } = request.text.operator;
  const { id, name, paused } = found;
  return {
    title: name,
    ...endOf(fault?.code, fault !== undefined),
    body: html`
      ${fault === undefined || fault.beside !== undefined ? null : html`<p role="alert">${fault.text}</p>`}
      <dl>
        <div><dt>${t.id}</dt><dd><code>${id}</code></dd></div>
        <div><dt>${t.state}</dt><dd><span class=${paused ? 'tag doubt' : 'tag'}>${paused ? t.states.paused : t.states.active}</span></dd></div>
      </dl>
      ${mayChange(request) ? pauseSection(request, found, fault) : null}
      <section>
        <h2>${t.endpoints}</h2>
        ${endpoints(request, found, fault)}
      </section>
      <p><a href="/operator">${t.back}</a></p>
    `,
  };
}

const mayChange = ({ member }: MemberRequest): boolean => may(member.role, 'operators.change');

const faultBeside = (fault: Fault | undefined, form: string): string | undefined =>
  fault?.beside === form ? fault.text : undefined;

function pauseSection(
  request: MemberRequest,
  { id, paused }: InspectedOrganisation,
  fault: Fault | undefined,
): Markup {
  const { organisation: t } = request.text.operator;
  const path = `/operator/organisations/${id}/${paused ? 'resume' : 'pause'}`;
  const inside = paused
    ? html`<button>${t.resume}</button>`
    : html`${sure(t.pauseSure, faultBeside(fault, 'organisation'))}<button class="danger">${t.pause}</button>`;
  return html`
    <section>
      <h2>${paused ? t.resume : t.pause}</h2>
      <p>${paused ? t.resumeText : t.pauseText}</p>
      ${form(request, path, inside)}
    </section>
  `;
}

function endpoints(
  request: MemberRequest,
  { id, endpoints: page }: InspectedOrganisation,
  fault: Fault | undefined,
): Markup {
  const { organisation: t } = request.text.operator;
  if (page.data.length === 0) return empty(t.noEndpoints);
  const columns = [t.address, t.environment, t.health, mayChange(request) ? t.action : undefined];
  const older = page.next_starting_after;
  return html`
    <p>${t.endpointsText}</p>
    ${table(
      { label: t.endpoints, columns, names: 0 },
      page.data.map((endpoint) => endpointRow(request, id, endpoint, fault)),
    )}
    ${older === null ? null : html`<p><a href=${`/operator/organisations/${id}?after=${older}`}>${t.older}</a></p>`}
  `;
}

function endpointRow(
  request: MemberRequest,
  orgId: string,
  endpoint: EndpointAtWork,
  fault: Fault | undefined,
): Row {
  const { organisation: t } = request.text.operator;
  const { environments } = request.text.webhooks;
  return {
    isOver: !endpoint.active,
    cells: [
      html`<code>${endpoint.origin}</code><br /><small><code>${endpoint.id}</code></small>`,
      environments[endpoint.environment],
      html`${healthOf(request, endpoint)}${endpoint.pausedBy === 'both' ? html` <small>${t.alsoByMember}</small>` : null}`,
      endpoint.active ? endpointForm(request, orgId, endpoint, fault) : null,
    ],
  };
}

function endpointForm(
  request: MemberRequest,
  orgId: string,
  { id, pausedBy }: EndpointAtWork,
  fault: Fault | undefined,
): Markup {
  const { organisation: t } = request.text.operator;
  const path = `/operator/organisations/${orgId}/endpoints/${id}`;
  const named = (name: string) => `${name}: ${id}`;
  if (pausedBy !== null)
    return form(
      request,
      `${path}/resume`,
      html`<button aria-label=${named(t.resumeEndpoint)}>${t.resumeEndpoint}</button>`,
    );
  return form(
    request,
    `${path}/pause`,
    html`${sure(t.endpointSure, faultBeside(fault, id))}<button class="danger" aria-label=${named(t.pauseEndpoint)}>${t.pauseEndpoint}</button>`,
  );
}

type Run = (request: MemberRequest, found: InspectedOrganisation) => Promise<Answer>;

/** A form that stops work. */
const stopping = (run: Run): Run =>
  ifSure(run, (request, text, found) =>
    show(request, found, { text, beside: request.params.endpoint ?? 'organisation' }),
  );

const placeOf = ({ id }: InspectedOrganisation) => `/operator/organisations/${id}`;

const pausing =
  (paused: boolean): Run =>
  async (request, found) => {
    await changeSettings(request.ctx, operatorAt(request, found), { paused });
    return { to: placeOf(found), notice: paused ? 'organisation_paused' : 'organisation_resumed' };
  };

const pausingEndpoint =
  (isPause: boolean): Run =>
  async (request, found) => {
    const { ctx, params } = request;
    const id = params.endpoint ?? '';
    if (!isUuid(id)) return notFound(request);
    try {
      const { byMember } = await (isPause ? pauseWebhook : resumeWebhook)(ctx, operatorAt(request, found), {
        id,
      });
      const resumed = byMember ? 'paused_by_member' : 'resumed';
      return { to: placeOf(found), notice: isPause ? 'paused' : resumed };
    } catch (error) {
      return refusal(request, found, error);
    }
  };

const operatorAt = ({ callers }: MemberRequest, { id: orgId }: InspectedOrganisation) =>
  callerOfSignedInOperator(callers.live, { orgId, environment: 'live' });

function refusal(request: MemberRequest, found: InspectedOrganisation, error: unknown): View {
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'webhook_not_found') return notFound(request);
  if (error.code !== 'webhook_inactive') throw error;
  const text = request.text.operator.organisation.inactive;
  return show(request, found, { text, code: error.code });
}

const post = (action: string, run: Run): ConsolePage => ({
  method: 'POST',
  path: `/operator/organisations/:id/${action}`,
  for: 'operators.change',
  run: withOrganisation(run),
});

export const operatorOrganisationPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/operator/organisations/:id',
    for: 'operators.see',
    query: ['after'],
    run: withOrganisation((request, found) => show(request, found)),
  },
  post('pause', stopping(pausing(true))),
  post('resume', pausing(false)),
  post('endpoints/:endpoint/pause', stopping(pausingEndpoint(true))),
  post('endpoints/:endpoint/resume', pausingEndpoint(false)),
];
