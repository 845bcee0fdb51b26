import { passkeySiteOf } from '#platform/sign-in/passkey.ts';
import { provenPassword } from '#services/members/account.ts';
import { addPasskey, listPasskeys, offerPasskey, removePasskey } from '#services/members/passkeys.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { empty, field, form, isUuid, when } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { countInside } from '../../session/attempts.ts';
import { table } from '../../table.ts';
import { notFound } from '../../trouble.ts';
import { givenPasskey, passkeyForm } from './passkey-form.ts';

const path = '/account/passkeys';
const nameLengthMax = 60;

type Faults = Partial<Record<'name' | 'password' | 'passkey', string>> & { refused?: string };

async function passkeysView(request: MemberRequest, { refused, ...faults }: Faults = {}): Promise<View> {
  const t = request.text.account.passkeys;
  const isFaulty = Object.keys(faults).length > 0;
  return {
    title: t.title,
    isFaulty,
    status: isFaulty ? 422 : 200,
    refused,
    body: html`
      <p>${t.intro}</p>
      ${faults.passkey === undefined ? null : html`<p role="alert">${faults.passkey}</p>`}
      ${await list(request)}
      ${passkeySiteOf(request.url) === undefined ? html`<p>${t.notHere}</p>` : adding(request, faults)}
      <p><a href="/account">${request.text.back}</a></p>
    `,
  };
}

async function list(request: MemberRequest): Promise<Markup> {
  const t = request.text.account.passkeys;
  const passkeys = await listPasskeys(request.ctx, request.member);
  if (passkeys.length === 0) return empty(t.none);
  return table(
    { label: t.title, columns: [t.name, t.made, t.lastUsed, t.state, t.action], names: 0 },
    passkeys.map(({ id, name, createdAt, lastUsedAt, blockedAt }) => ({
      cells: [
        name,
        when(request, createdAt),
        when(request, lastUsedAt, request.text.never),
        blockedAt === null ? t.works : t.blocked,
        form(
          request,
          `${path}/${id}/remove`,
          html`<button class="quiet" aria-label=${`${t.remove}: ${name}`}>${t.remove}</button>`,
        ),
      ],
    })),
  );
}

const adding = (request: MemberRequest, faults: Faults): Markup => {
  const t = request.text.account.passkeys;
  return html`
    <section>
      <h2>${t.add}</h2>
      ${form(
        request,
        path,
        html`
          ${field({ name: 'name', label: t.name, hint: t.nameHint, fault: faults.name, value: request.form.get('name'), maxlength: nameLengthMax, required: true })}
          ${field({ name: 'password', label: t.password, type: 'password', reveal: request.text.showPassword, fault: faults.password, autocomplete: 'current-password', required: true })}
          <button>${t.add}</button>
        `,
      )}
    </section>
  `;
};

/** The second step, in which the device makes the passkey. It follows the password, so the device keeps none that is then refused. */
async function confirmView(request: MemberRequest, name: string): Promise<View> {
  const t = request.text.account.passkeys;
  const site = passkeySiteOf(request.url);
  if (site === undefined) return notFound(request);
  const options = await offerPasskey(request.ctx, request.member, { site, name: request.text.product });
  return {
    title: t.confirmTitle,
    body: html`
      ${passkeyForm(request, {
        ...{ ask: 'create', action: `${path}/new`, options, token: request.tokenAfterPassword() },
        content: html`<p>${t.confirm}</p><input type="hidden" name="name" value=${name} />`,
        ...{ button: t.confirmButton, otherwise: t.needsScript },
      })}
      <p><a href=${path}>${request.text.back}</a></p>
    `,
  };
}

const nameIn = ({ form: sent }: MemberRequest): string | undefined => {
  const name = (sent.get('name') ?? '').trim();
  return name === '' || name.length > nameLengthMax || !name.isWellFormed() || name.includes('\0')
    ? undefined
    : name;
};

export const passkeyPages: readonly ConsolePage[] = [
  { method: 'GET', path, for: 'account.own', run: (request) => passkeysView(request) },
  {
    method: 'POST',
    path,
    for: 'account.own',
    async run(request) {
      const { ctx, member, form: sent, text } = request;
      const { faults } = text.account.passkeys;
      const full = await countInside(request);
      if (full !== undefined) return full;
      const name = nameIn(request);
      if (name === undefined) return passkeysView(request, { name: faults.name });
      const password = (sent.get('password') ?? '').slice(0, 400);
      if ((await provenPassword(ctx, member, password)) === undefined)
        return passkeysView(request, { password: faults.password, refused: 'wrong_password' });
      return confirmView(request, name);
    },
  },
  {
    method: 'POST',
    path: `${path}/new`,
    for: 'account.own',
    needs: 'password',
    async run(request) {
      const { ctx, member, text } = request;
      const given = givenPasskey(request);
      const name = nameIn(request);
      if (given === undefined || name === undefined) return notFound(request);
      const fault = await addPasskey(ctx, member, { ...given, name });
      if (fault === undefined) return { to: path, notice: 'passkey_added' };
      return passkeysView(request, {
        ...{ passkey: text.account.passkeys.faults[fault], refused: `passkey_${fault}` },
      });
    },
  },
  {
    method: 'POST',
    path: `${path}/:id/remove`,
    for: 'account.own',
    async run({ ctx, member, params }) {
      if (isUuid(params.id ?? '')) await removePasskey(ctx, member, params.id ?? '');
      return { to: path, notice: 'passkey_removed' };
    },
  },
];
