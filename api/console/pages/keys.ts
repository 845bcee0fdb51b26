import { uuid } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import { may } from '#policy/rights.ts';
import { createKey } from '#services/keys/create.ts';
import type { IssuedKey } from '#services/keys/issue.ts';
import { findKey, type ListedKey, listKeys } from '#services/keys/list.ts';
import { revokeKey } from '#services/keys/revoke.ts';
import { rotateKey } from '#services/keys/rotate.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { empty, form, shownOnce, sure, unsure, when } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import { type Row, table } from '../table.ts';
import { endOf, notFound } from '../trouble.ts';
import { keyForm, overlapField, overlapOf, readKeyForm } from './key-form.ts';

const canChange = ({ member }: MemberRequest) => may(member.role, 'keys.change');

function listView(request: MemberRequest, keys: readonly ListedKey[]): View {
  const { keys: text } = request.text;
  const make = canChange(request) ? { to: '/keys/new', name: text.make } : undefined;
  if (keys.length === 0) return { title: text.title, body: empty(text.none, make) };
  return {
    title: text.title,
    body: html`
      <p>${text.intro}</p>
      ${make === undefined ? null : html`<p><a role="button" href=${make.to}>${make.name}</a></p>`}
      ${table(
        {
          label: text.title,
          columns: [
            text.name,
            text.environment,
            text.key,
            text.state,
            text.lastUsed,
            text.ends,
            request.text.account.action,
          ],
          names: 0,
        },
        keys.map((key) => row(request, key)),
      )}
    `,
  };
}

function row(request: MemberRequest, key: ListedKey): Row {
  const { text } = request;
  const name = key.name ?? text.keys.unnamed;
  const open = canChange(request) ? text.keys.manage : text.keys.look;
  return {
    isOver: key.state !== 'valid',
    cells: [
      name,
      html`<span class=${`tag ${key.environment}`}>${text.environments[key.environment]}</span>`,
      html`<code>${key.display}</code><br /><small>${key.grants.join(', ')}</small>`,
      text.keys.states[key.state],
      when(request, key.lastUsedAt, text.never),
      when(request, key.revokedAt ?? key.expiresAt),
      html`<a href=${`/keys/${key.id}`} aria-label=${`${open}: ${name}, ${key.display}`}>${open}</a>`,
    ],
  };
}

/** The key itself and when it ends, on the answer to the form. The answer is not stored, and the form cannot be sent again. */
function shownView(request: MemberRequest, issued: IssuedKey, more?: Markup): View {
  const { text } = request;
  const { key, expiresAt, environment, grants } = issued;
  return {
    title: text.keys.shownTitle,
    body: html`
      <p>${text.keys.shownText}</p>
      ${shownOnce('key', key, text.copy, text.copied)}
      <p>${text.keys.ends}: ${when(request, expiresAt, text.keys.never)}</p>
      ${more ?? null}
      ${environment === 'sandbox' && grants.includes('verify:create') ? html`<h2>${text.keys.tryIt}</h2>${shownOnce('first-request', firstRequest(request, key), text.copy, text.copied)}` : null}
      <p><a role="button" class="secondary" href="/keys">${text.keys.shownBack}</a></p>
    `,
  };
}

/** Sandbox answers it at once, and it costs nothing. */
const firstRequest = ({ ctx }: MemberRequest, key: string): string =>
  `curl -s ${ctx.publicUrl}/v1/verifications -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"reference":"first try"}'`;

const keyInPath = async ({ ctx, callers, params }: MemberRequest): Promise<ListedKey | undefined> =>
  uuid.safeParse(params.id).success ? findKey(ctx, callers.live, { id: params.id ?? '' }) : undefined;

type KeyFaults = { refused?: { code: string; text: string }; overlapFault?: string; sureFault?: string };

function keyView(
  request: MemberRequest,
  key: ListedKey,
  { refused, overlapFault, sureFault }: KeyFaults = {},
): View {
  const { text } = request;
  const works = key.state === 'valid' || key.state === 'replaced';
  return {
    title: key.name ?? text.keys.unnamed,
    ...endOf(refused?.code, (overlapFault ?? sureFault) !== undefined),
    body: html`
      ${refused && html`<p role="alert">${refused.text}</p>`}
      <dl>
        <div><dt>${text.keys.key}</dt><dd><code>${key.display}</code></dd></div>
        <div><dt>${text.keys.environment}</dt><dd>${text.environments[key.environment]}</dd></div>
        <div><dt>${text.keys.scopes}</dt><dd>${key.grants.join(', ')}</dd></div>
        <div><dt>${text.keys.limit}</dt><dd>${(key.rateLimit ?? limits.requestsPerMinute).toLocaleString(request.language)}</dd></div>
        <div><dt>${text.keys.state}</dt><dd>${text.keys.states[key.state]}</dd></div>
        <div><dt>${text.keys.made}</dt><dd>${when(request, key.createdAt)}</dd></div>
        <div><dt>${text.keys.lastUsed}</dt><dd>${when(request, key.lastUsedAt, text.never)}</dd></div>
        <div><dt>${text.keys.ends}</dt><dd>${when(request, key.revokedAt ?? key.expiresAt, text.keys.never)}</dd></div>
      </dl>
      ${works ? null : html`<p>${text.keys.over}</p>`}
      ${key.state === 'valid' && canChange(request) ? rotateSection(request, key.id, overlapFault) : null}
      ${works && canChange(request) ? revokeSection(request, key.id, sureFault) : null}
      <p><a href="/keys">${text.back}</a></p>
    `,
  };
}

const rotateSection = (request: MemberRequest, id: string, fault: string | undefined): Markup => html`
  <section>
    <h2>${request.text.keys.rotate}</h2>
    <p>${request.text.keys.rotateText}</p>
    ${form(request, `/keys/${id}/rotate`, html`${overlapField(request, fault)}<button>${request.text.keys.rotate}</button>`)}
  </section>
`;

const revokeSection = (request: MemberRequest, id: string, fault: string | undefined): Markup => html`
  <section>
    <h2>${request.text.keys.revoke}</h2>
    <p>${request.text.keys.revokeText}</p>
    ${form(request, `/keys/${id}/revoke`, html`${sure(request.text.sure, fault)}<button class="danger">${request.text.keys.revoke}</button>`)}
  </section>
`;

export const keyPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/keys',
    for: 'keys.see',
    nav: 'keys',
    run: async (request) => listView(request, await listKeys(request.ctx, request.callers.live)),
  },
  { method: 'GET', path: '/keys/new', for: 'keys.change', run: (request) => keyForm(request) },
  {
    method: 'POST',
    path: '/keys/new',
    for: 'keys.change',
    async run(request) {
      const { ctx, callers } = request;
      const read = readKeyForm(request);
      if ('faults' in read) return keyForm(request, read.faults);
      const { environment, ...wanted } = read;
      const made = await createKey(ctx, callers[environment], wanted);
      if (made === undefined) return keyForm(request, { name: request.text.keys.faults.tooMany });
      return shownView(request, made);
    },
  },
  {
    method: 'GET',
    path: '/keys/:id',
    for: 'keys.see',
    async run(request) {
      const key = await keyInPath(request);
      return key === undefined ? notFound(request) : keyView(request, key);
    },
  },
  {
    method: 'POST',
    path: '/keys/:id/rotate',
    for: 'keys.change',
    async run(request) {
      const { ctx, callers, text } = request;
      const key = await keyInPath(request);
      const overlapMs = overlapOf(request);
      if (key === undefined) return notFound(request);
      if (overlapMs === undefined && key.state === 'valid')
        return keyView(request, key, { overlapFault: text.keys.faults.overlap });
      // A key that is not valid is refused, whatever the overlap.
      const rotation = await rotateKey(ctx, callers.live, { id: key.id, overlapMs: overlapMs ?? 0 });
      if ('refused' in rotation)
        return keyView(request, key, {
          refused: { code: rotation.refused, text: text.keys.refusals[rotation.refused] },
        });
      const until = html`<p>${text.keys.oldUntil} ${when(request, rotation.worksUntil)}.</p>`;
      return shownView(request, rotation.successor, until);
    },
  },
  {
    method: 'POST',
    path: '/keys/:id/revoke',
    for: 'keys.change',
    async run(request) {
      const { ctx, callers, text } = request;
      const key = await keyInPath(request);
      if (key === undefined) return notFound(request);
      const sureFault = unsure(request);
      const isOver = key.state === 'revoked' || key.state === 'expired';
      if (sureFault !== undefined && !isOver) return keyView(request, key, { sureFault });
      const revoked = await revokeKey(ctx, callers.live, { id: key.id });
      if (revoked) return { to: '/keys', notice: 'revoked' };
      return keyView(request, key, { refused: { code: 'not_valid', text: text.keys.over } });
    },
  },
];
