import { type PasskeySite, passkeySiteOf, requestOptions } from '#platform/sign-in/passkey.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { keepingAsked } from '../../parts.ts';
import type { PageRequest } from '../../request.ts';

type Wanted = {
  /** What the browser asks of the device. */
  ask: 'create' | 'get';
  action: string;
  options: object;
  token: Markup;
  button: string;
  /** Shown above the button. */
  content?: Markup;
  /** Shown instead where the browser cannot use passkeys. Nothing by default. */
  otherwise?: string;
};

/** A form whose answer comes from a device. The script shows it where passkeys work. The token of the form is the challenge. */
export function passkeyForm({ text }: Pick<PageRequest, 'text'>, wanted: Wanted): Markup {
  const t = text.account.passkeys;
  const { ask, action, options, token, button, content, otherwise } = wanted;
  return html`
    <form method="post" action=${action} class="passkey" data-passkey=${ask} data-options=${JSON.stringify(options)} hidden>
      ${token}
      ${content}
      <input type="hidden" name="credential" />
      <p role="alert" class="fault" hidden>${t.cancelled}</p>
      <button class=${ask === 'get' ? 'secondary' : undefined}>${button}</button>
    </form>
    ${otherwise === undefined ? null : html`<p data-no-passkey>${otherwise}</p>`}
  `;
}

/** The button on the page that signs in. Null where browsers allow no passkeys. */
export function passkeySignIn(request: PageRequest): Markup | null {
  const site = passkeySiteOf(request.url);
  if (site === undefined) return null;
  return passkeyForm(request, {
    ...{ ask: 'get', options: requestOptions(site), token: request.token },
    action: keepingAsked(request, '/sign-in/passkey'),
    button: request.text.account.passkeys.signIn,
  });
}

/** The answer of a device. Undefined if no form was sent, or where browsers allow no passkeys. */
export function givenPasskey({ form, formToken, url }: PageRequest) {
  const site: PasskeySite | undefined = passkeySiteOf(url);
  if (site === undefined || formToken === undefined) return undefined;
  const { text, madeAt } = formToken;
  return { site, credential: form.get('credential') ?? '', challenge: { text, madeAt } };
}
