import { memberLimits, normalEmail } from '#contract/members.ts';
import { requireRoom } from '#platform/sign-in/password-turns.ts';
import { signInWithPasskey } from '#services/members/passkeys.ts';
import { giveCode } from '#services/members/second-factor.ts';
import { signIn } from '#services/members/sign-in.ts';
import { networkOf } from '../../../client-address.ts';
import { html } from '../../../pages/markup.ts';
import { choice, field, form, type Option } from '../../parts.ts';
import type { ConsolePage, MemberRequest, PageRequest, View } from '../../request.ts';
import { admitSignIn, countCode, countPasskey, tooOften } from '../../session/attempts.ts';
import { placeOf } from '../../texts/members.ts';
import { ownPlace, thenTo } from '../../values/own-place.ts';
import { givenPasskey, passkeySignIn } from './passkey-form.ts';

/** Longer values are cut, so that a hash never works on a whole body. */
const typedMax = 400;
const typed = ({ form }: PageRequest, name: string): string => (form.get(name) ?? '').slice(0, typedMax);

/** The page that somebody wanted before they had to sign in. */
const goOn = ({ query }: PageRequest): string => ownPlace(query.get('next')) ?? '/';

type SignInFault = {
  fault?: string;
  passkeyFault?: string;
  organisations?: readonly Option[];
  refused?: string;
};

function signInView(request: PageRequest, given: SignInFault = {}): View {
  const { text } = request;
  const { fault, passkeyFault, organisations = [], refused } = given;
  const isFaulty = fault !== undefined || passkeyFault !== undefined;
  const email = typed(request, 'email');
  return {
    title: text.signIn.title,
    isFaulty,
    status: isFaulty ? 422 : 200,
    refused,
    body: html`
      ${passkeyFault === undefined ? null : html`<p role="alert">${passkeyFault}</p>`}
      ${form(
        request,
        '/sign-in',
        html`
          ${field({ name: 'email', label: text.signIn.email, type: 'email', value: email, autocomplete: 'username', required: true })}
          ${
            organisations.length === 0
              ? null
              : choice({ name: 'organisation', label: text.signIn.organisation, options: organisations })
          }
          ${field({ name: 'password', label: text.signIn.password, type: 'password', reveal: text.showPassword, autocomplete: 'current-password', required: true, fault })}
          <button>${text.signIn.button}</button>
        `,
      )}
      ${passkeySignIn(request)}
      <p><small>${text.signIn.help}</small></p>
    `,
  };
}

type CodeFaults = { code?: string; recovery?: string; refused?: string };

function codeView(request: MemberRequest, { refused, ...faults }: CodeFaults = {}): View {
  const { text } = request;
  const isFaulty = Object.keys(faults).length > 0;
  return {
    title: text.signIn.code.title,
    isFaulty,
    status: isFaulty ? 422 : 200,
    refused,
    body: html`
      <p>${text.signIn.code.intro}</p>
      ${form(
        request,
        '/sign-in/code',
        html`
          ${field({ name: 'code', label: text.signIn.code.code, fault: faults.code, inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 10, required: true, autofocus: true })}
          <button>${text.signIn.code.button}</button>
        `,
      )}
      <details open=${faults.recovery !== undefined}>
        <summary>${text.signIn.code.lost}</summary>
        ${form(
          request,
          '/sign-in/code',
          html`
            ${field({ name: 'recovery', label: text.signIn.code.recovery, hint: text.signIn.code.recoveryHint, fault: faults.recovery, autocomplete: 'off', maxlength: 40, required: true })}
            <button class="secondary">${text.signIn.code.recoveryButton}</button>
          `,
        )}
      </details>
      ${form(request, '/sign-out', html`<button class="quiet">${text.signOut}</button>`)}
    `,
  };
}

export const signInPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/sign-in',
    for: 'anybody',
    run: (request) => (request.member === undefined ? signInView(request) : { to: goOn(request) }),
  },
  {
    method: 'POST',
    path: '/sign-in',
    for: 'anybody',
    async run(request) {
      const email = normalEmail(typed(request, 'email'));
      // A field that was forgotten is no attempt.
      if (email === '' || typed(request, 'password') === '')
        return signInView(request, { fault: request.text.signIn.missing });
      const network = networkOf(request.device.address);
      requireRoom({ organisation: request.knownBrowser?.orgId, network });
      const admitted = await admitSignIn(request, email);
      if (admitted.tries === 'nobody') return tooOften(request, admitted.waitSeconds);
      const given = {
        ...{ email, password: typed(request, 'password') },
        organisationId: request.form.get('organisation') ?? undefined,
        knownMemberId: request.knownBrowser?.memberId,
        network,
        isKnownOnly: admitted.tries === 'known_member',
      };
      const result = await signIn(request.ctx, given, request.device);
      if (result === 'not_known') return tooOften(request, memberLimits.attempts.windowSeconds);
      if (result === 'wrong')
        return signInView(request, { fault: request.text.signIn.wrong, refused: 'wrong_password' });
      if ('choose' in result) {
        const organisations = result.choose.map(({ id, name }) => ({
          value: id,
          name: placeOf(request.language, name),
        }));
        return signInView(request, { fault: request.text.signIn.choose, organisations });
      }
      const to = result.owesCode
        ? thenTo('/sign-in/code', ownPlace(request.query.get('next')))
        : goOn(request);
      return { to, session: result.token };
    },
  },
  {
    method: 'POST',
    path: '/sign-in/passkey',
    for: 'anybody',
    async run(request) {
      const full = await countPasskey(request);
      if (full !== undefined) return full;
      const given = givenPasskey(request);
      const result =
        given === undefined ? 'wrong' : await signInWithPasskey(request.ctx, given, request.device);
      if (typeof result === 'object') return { to: goOn(request), session: result.token };
      const passkeyFault = request.text.account.passkeys.faults[result];
      return signInView(request, { passkeyFault, refused: `passkey_${result}` });
    },
  },
  { method: 'GET', path: '/sign-in/code', for: 'code', run: (request) => codeView(request) },
  {
    method: 'POST',
    path: '/sign-in/code',
    for: 'code',
    async run(request) {
      const { ctx, member, text, device } = request;
      const isRecoveryCode = request.form.has('recovery');
      const code = typed(request, isRecoveryCode ? 'recovery' : 'code');
      if (code.trim() === '')
        return codeView(request, { [isRecoveryCode ? 'recovery' : 'code']: text.signIn.code.missing });
      const full = await countCode(request);
      if (full !== undefined) return full;
      const session = await giveCode(ctx, member, { code, isRecoveryCode }, device);
      if (session !== undefined) return { to: goOn(request), session };
      return codeView(request, {
        refused: 'wrong_code',
        ...(isRecoveryCode ? { recovery: text.signIn.code.recoveryWrong } : { code: text.signIn.code.wrong }),
      });
    },
  },
  { method: 'POST', path: '/sign-out', for: 'signed_in', run: () => ({ signedOut: true }) },
];
