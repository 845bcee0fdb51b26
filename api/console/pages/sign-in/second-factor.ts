import QRCode from 'qrcode';
import { rolesWithSecondFactor } from '#contract/members.ts';
import { confirmSecondFactor, offerSecondFactor } from '#services/members/second-factor.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { field, form } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { countInside } from '../../session/attempts.ts';
import { ownPlace } from '../../values/own-place.ts';

/** Black on white in both colour schemes, because cameras need it. */
async function qrOf(uri: string, title: string): Promise<Markup> {
  const { modules } = QRCode.create(uri, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const dark = Array.from(modules.data).flatMap((bit, i) =>
    bit ? [`M${i % size} ${Math.floor(i / size)}h1v1h-1z`] : [],
  );
  const margin = 4;
  return html`
    <svg class="qr" role="img" aria-label=${title} viewBox=${`${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`} width="220" height="220">
      <rect x=${-margin} y=${-margin} width=${size + 2 * margin} height=${size + 2 * margin} fill="#fff" />
      <path d=${dark.join('')} fill="#000" />
    </svg>
  `;
}

const inGroups = (key: string): string => key.replaceAll(/(.{4})(?=.)/g, '$1 ');

async function setupView(request: MemberRequest, fault?: string): Promise<View> {
  const { ctx, member, text } = request;
  const { uri, typed } = offerSecondFactor(ctx, member, text.product);
  return {
    title: text.signIn.setup.title,
    isFaulty: fault !== undefined,
    ...(fault !== undefined && { status: 422, refused: 'wrong_code' }),
    body: html`
      <p>${rolesWithSecondFactor.includes(member.role) ? text.signIn.setup.why : text.signIn.setup.optional}</p>
      <p>${text.signIn.setup.scan}</p>
      ${await qrOf(uri, text.signIn.setup.qr)}
      <p><a href=${uri}>${text.signIn.setup.onThisDevice}</a></p>
      <p>${text.signIn.setup.key}: <code>${inGroups(typed)}</code></p>
      ${form(
        request,
        '/second-factor',
        html`
          ${field({ name: 'code', label: text.signIn.setup.code, fault, inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 10, required: true })}
          <button>${text.signIn.setup.button}</button>
        `,
      )}
      ${member.owes === undefined ? null : form(request, '/sign-out', html`<button class="quiet">${text.signOut}</button>`)}
    `,
  };
}

export const codesView = (
  { text: { signIn, copy, copied }, query }: Pick<MemberRequest, 'text' | 'query'>,
  title: string,
  codes: readonly string[],
): View => ({
  title,
  body: html`
    <p>${signIn.setup.doneText}</p>
    <ul class="codes" id="codes" data-secret>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
    <p><button type="button" class="secondary" data-copy="codes" data-copied=${copied} hidden>${copy}</button></p>
    <p><a role="button" href=${ownPlace(query.get('next')) ?? '/'}>${signIn.setup.goOn}</a></p>
  `,
});

export const secondFactorPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/second-factor', for: 'setup', run: (request) => setupView(request) },
  {
    method: 'POST',
    path: '/second-factor',
    for: 'setup',
    async run(request) {
      const { ctx, member, text, device } = request;
      const full = await countInside(request);
      if (full !== undefined) return full;
      const begun = await confirmSecondFactor(
        ctx,
        member,
        (request.form.get('code') ?? '').slice(0, 20),
        device,
      );
      if (begun === undefined) return setupView(request, text.signIn.setup.wrong);
      return {
        view: codesView(request, text.signIn.setup.doneTitle, begun.recoveryCodes),
        session: begun.token,
      };
    },
  },
];
