import { isEmail, type MemberRole, memberRoles, normalEmail } from '#contract/members.ts';
import { may } from '#policy/rights.ts';
import { invite } from '#services/members/invite.ts';
import type { IssuedLink } from '#services/members/links.ts';
import {
  changeRole,
  disableMember,
  enableMember,
  listMembers,
  type Member,
  type MemberRefusal,
  makeResetLink,
  removeMember,
} from '#services/members/manage.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { choice, field, form, ifSure, shownOnce, sure, when } from '../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../request.ts';
import { type Row, table } from '../table.ts';
import { placeOf } from '../texts/members.ts';
import type { Notice } from '../texts/texts.ts';
import { endOf, notFound } from '../trouble.ts';

const canChange = ({ member }: MemberRequest) => may(member.role, 'members.change');
const members = ({ ctx, callers }: MemberRequest) => listMembers(ctx, callers.live);

type State = 'active' | 'invited' | 'expired' | 'disabled';

function stateOf({ disabledAt, joinedAt, linkExpiresAt }: Member, now: Date): State {
  if (disabledAt !== null) return 'disabled';
  if (joinedAt !== null) return 'active';
  return linkExpiresAt !== null && linkExpiresAt > now ? 'invited' : 'expired';
}

const roleOptions = ({ text }: MemberRequest) =>
  memberRoles.map((value) => ({ value, name: text.members.roles[value].name }));
const rolesExplained = ({ text }: MemberRequest): Markup =>
  html`
  <ul class="explained">
    ${memberRoles.map((role) => html`<li><strong>${text.members.roles[role].name}</strong> ${text.members.roles[role].may}</li>`)}
  </ul>
`;
const roleIn = ({ form: sent }: MemberRequest): MemberRole | undefined =>
  memberRoles.find((role) => role === sent.get('role'));

function listView(
  request: MemberRequest,
  all: readonly Member[],
  faults: { email?: string; role?: string } = {},
): View {
  const { members: text, account } = request.text;
  const isFaulty = Object.keys(faults).length > 0;
  return {
    title: text.title,
    isFaulty,
    status: isFaulty ? 422 : 200,
    body: html`
      <p>${text.intro}</p>
      ${all.length === 1 && canChange(request) ? html`<p class="empty">${text.only}</p>` : null}
      ${table(
        {
          label: text.title,
          columns: [
            text.email,
            text.role,
            text.state,
            text.secondFactor,
            text.seen,
            canChange(request) ? account.action : undefined,
          ],
          names: 0,
        },
        all.map((each) => row(request, each)),
      )}
      ${canChange(request) ? inviteSection(request, faults) : null}
    `,
  };
}

function row(request: MemberRequest, each: Member): Row {
  const { members: text, never } = request.text;
  const state = stateOf(each, request.ctx.clock.now());
  return {
    isOver: state !== 'active',
    cells: [
      html`${each.email}${each.id === request.member.memberId ? html` <small>(${text.you})</small>` : null}`,
      text.roles[each.role].name,
      text.states[state],
      each.hasSecondFactor ? text.yes : text.no,
      when(request, each.lastSeenAt, never),
      html`<a href=${`/members/${each.id}`} aria-label=${`${text.manage}: ${each.email}`}>${text.manage}</a>`,
    ],
  };
}

const inviteSection = (request: MemberRequest, faults: { email?: string; role?: string }): Markup => html`
  <section>
    <h2>${request.text.members.invite}</h2>
    <p>${request.text.members.inviteText}</p>
    ${rolesExplained(request)}
    ${form(
      request,
      '/members',
      html`
        ${field({ name: 'email', label: request.text.members.email, type: 'email', value: request.form.get('email'), fault: faults.email, autocomplete: 'off', required: true })}
        ${choice({ name: 'role', label: request.text.members.role, value: request.form.get('role') ?? 'developer', fault: faults.role, options: roleOptions(request) })}
        <button>${request.text.members.invite}</button>
      `,
    )}
  </section>
`;

/** The link itself, on the answer to the form, and a message with it that can be sent as it is. */
const linkView = (
  request: MemberRequest,
  { email, role }: Pick<Member, 'email' | 'role'>,
  { token, kind, expiresAt }: IssuedLink,
): View => {
  const { text, url, member, language } = request;
  const { members: t } = text;
  const link = `${url}/link/${token}`;
  const organisation = placeOf(language, member.organisation);
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const message = t.messageText[kind](organisation, link, until, t.roles[role].name.toLowerCase());
  return {
    title: t.linkTitle,
    body: html`
      <p>${kind === 'invitation' ? t.invitationText(email) : t.resetText(email)}</p>
      ${shownOnce('link', link, text.copy, text.copied)}
      <p>${t.until} ${when(request, expiresAt)}.</p>
      <h2>${t.message}</h2>
      ${shownOnce('message', message, text.copy, text.copied)}
      <p><a role="button" class="secondary" href="/members">${t.linkBack}</a></p>
    `,
  };
};

const findOne = async (request: MemberRequest): Promise<Member | undefined> =>
  (await members(request)).find(({ id }) => id === request.params.id);

type MemberFaults = { refused?: MemberRefusal; role?: string; sure?: string };

function memberView(
  request: MemberRequest,
  each: Member,
  { refused, role, sure: fault }: MemberFaults = {},
): View {
  const { text, ctx } = request;
  const { members: said } = text;
  const state = stateOf(each, ctx.clock.now());
  const to = (action: string, content: Markup) => form(request, `/members/${each.id}/${action}`, content);
  return {
    title: each.email,
    ...endOf(refused, (role ?? fault) !== undefined),
    body: html`
      ${refused === undefined ? null : html`<p role="alert">${refused === 'not_disabled' ? said.removal.notDisabled : said.faults[refused]}</p>`}
      <dl>
        <div><dt>${said.role}</dt><dd>${said.roles[each.role].name}</dd></div>
        <div><dt>${said.state}</dt><dd>${said.states[state]}</dd></div>
        <div><dt>${said.secondFactor}</dt><dd>${each.hasSecondFactor ? said.yes : said.no}</dd></div>
        <div><dt>${said.seen}</dt><dd>${when(request, each.lastSeenAt, text.never)}</dd></div>
      </dl>
      ${section(said.changeRole, to('role', html`${choice({ name: 'role', label: said.role, value: roleIn(request) ?? each.role, fault: role, options: roleOptions(request) })}<button>${said.changeRole}</button>`))}
      ${state === 'active' ? section(said.reset, html`<p>${said.resetWhy}</p>${to('reset', html`<button class="secondary">${said.reset}</button>`)}`) : null}
      ${each.joinedAt === null && state !== 'disabled' ? section(said.again, to('invite', html`<button class="secondary">${said.again}</button>`)) : null}
      ${state === 'disabled' ? disabledSections(request, to, fault) : section(said.disable, html`<p>${said.disableText}</p>${to('disable', html`${sure(text.sure, fault)}<button class="danger">${said.disable}</button>`)}`)}
      <p><a href="/members">${text.back}</a></p>
    `,
  };
}

/** A disabled member can come back, or be removed for good. */
const disabledSections = (
  { text: { members: said, sure: label } }: MemberRequest,
  to: (action: string, content: Markup) => Markup,
  fault: string | undefined,
): Markup => html`
  ${section(said.enable, html`<p>${said.enableText}</p>${to('enable', html`<button>${said.enable}</button>`)}`)}
  ${section(said.removal.remove, html`<p>${said.removal.text}</p>${to('remove', html`${sure(label, fault)}<button class="danger">${said.removal.remove}</button>`)}`)}
`;

const section = (title: string, content: Markup): Markup =>
  html`<section><h2>${title}</h2>${content}</section>`;

type Act = (request: MemberRequest, each: Member) => Promise<Answer | MemberRefusal>;

/** A form about one member. A member of another organisation is unknown. */
const formAbout = (action: string, act: Act): ConsolePage => ({
  method: 'POST',
  path: `/members/:id/${action}`,
  for: 'members.change',
  async run(request) {
    const each = await findOne(request);
    if (each === undefined) return notFound(request);
    const result = await act(request, each);
    return typeof result === 'string' ? memberView(request, each, { refused: result }) : result;
  },
});

/** An act that harms if it was not meant. */
const harming = (act: Act): Act =>
  ifSure(act, (request, fault, each) => memberView(request, each, { sure: fault }));

const back = ({ id }: Member, notice: Notice): Answer => ({ to: `/members/${id}`, notice });
const at = ({ ctx, callers }: MemberRequest) => [ctx, callers.live] as const;

export const memberPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/members',
    for: 'members.see',
    nav: 'members',
    run: async (request) => listView(request, await members(request)),
  },
  {
    method: 'POST',
    path: '/members',
    for: 'members.change',
    async run(request) {
      const { faults: said } = request.text.members;
      const email = normalEmail(request.form.get('email') ?? '');
      const role = roleIn(request);
      const faults = {
        ...(!isEmail(email) && { email: said.email }),
        ...(role === undefined && { role: said.role }),
      };
      if (role === undefined || Object.keys(faults).length > 0)
        return listView(request, await members(request), faults);
      const invited = await invite(...at(request), { email, role });
      if ('refused' in invited)
        return listView(request, await members(request), { email: said[invited.refused] });
      return linkView(request, { email, role }, invited.link);
    },
  },
  {
    method: 'GET',
    path: '/members/:id',
    for: 'members.change',
    async run(request) {
      const each = await findOne(request);
      return each === undefined ? notFound(request) : memberView(request, each);
    },
  },
  formAbout('role', async (request, each) => {
    const role = roleIn(request);
    if (role === undefined) return memberView(request, each, { role: request.text.members.faults.role });
    const refused = await changeRole(...at(request), { id: each.id, role });
    return refused ?? back(each, 'role_changed');
  }),
  formAbout(
    'disable',
    harming(async (request, each) => (await disableMember(...at(request), each)) ?? back(each, 'disabled')),
  ),
  formAbout(
    'enable',
    async (request, each) => (await enableMember(...at(request), each)) ?? back(each, 'enabled'),
  ),
  formAbout(
    'remove',
    harming(
      async (request, each) =>
        (await removeMember(...at(request), each)) ?? { to: '/members', notice: 'saved' },
    ),
  ),
  formAbout('reset', async (request, each) => {
    const made = await makeResetLink(...at(request), each);
    return 'refused' in made ? made.refused : linkView(request, each, made.link);
  }),
  formAbout('invite', async (request, { email, role }) => {
    const invited = await invite(...at(request), { email, role });
    return 'refused' in invited ? 'unknown' : linkView(request, { email, role }, invited.link);
  }),
];
