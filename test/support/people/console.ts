import { expect } from 'vitest';
import { type ConsoleRole, type MemberRole, rolesWithSecondFactor } from '#contract/members.ts';
import { totpCode } from '#platform/sign-in/totp.ts';
import type { Harness } from '../harness.ts';
import { plantPrivateParts } from '../run-logs.ts';
import { inviteByOperator, inviteOperator } from './as-operator.ts';

export const goodPassword = 'violet tractor humming lantern';

type Sent = {
  fields?: Record<string, string | string[]>;
  token?: string | null;
  headers?: Record<string, string>;
};

export type Page = {
  status: number;
  headers: Headers;
  html: string;
  location: string | null;
  /** The token of the first form. */
  token: string | undefined;
};

function bodyOf(
  fields: Record<string, string | string[]>,
  token: string | null | undefined,
): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) body.append(name, each);
  if (typeof token === 'string') body.append('token', token);
  return body;
}

/** A browser without scripts: it keeps cookies, and sends forms with the token of the page that it read last. */
export function newVisitor(url: string, from = '192.0.2.1') {
  let cookies: Record<string, string> = {};
  let last: Page | undefined;

  async function send(
    method: 'GET' | 'POST',
    path: string,
    { fields, token, headers }: Sent = {},
  ): Promise<Page> {
    const body = bodyOf(fields ?? {}, token === undefined ? last?.token : token);
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': from,
        'user-agent': 'Test browser',
        'accept-language': 'en',
        cookie: Object.entries(cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
        ...headers,
      },
      ...(method === 'POST' && { body }),
    });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies = { ...cookies, [name]: value };
    }
    const html = await response.text();
    const page = {
      status: response.status,
      headers: response.headers,
      html,
      location: response.headers.get('location'),
      token: /name="token" value="([^"]+)"/.exec(html)?.[1],
    };
    if (page.token !== undefined) last = page;
    return page;
  }

  return {
    get: (path: string, sent?: Sent) => send('GET', path, sent),
    post: (path: string, fields: Sent['fields'] = {}, sent: Sent = {}) =>
      send('POST', path, { fields, ...sent }),
    /** Reads `page` for its token, and sends the form. */
    async submit(page: string, path: string, fields: Sent['fields'] = {}): Promise<Page> {
      await send('GET', page);
      return send('POST', path, { fields });
    },
    cookie: () => Object.values(cookies)[0] ?? '',
    cookieName: () => Object.keys(cookies)[0] ?? '',
    /** The mark of a browser that is known. */
    mark: () => cookies['console-browser'] ?? '',
    setCookie: (name: string, value: string) => {
      cookies = { ...cookies, [name]: value };
    },
  };
}
export type Visitor = ReturnType<typeof newVisitor>;

type SentFile = { page: string; to: string; field: string; file: File; token?: string | undefined };

/** Sends a file to the console as a browser does: the file first. */
async function sendFile(
  url: string,
  from: Visitor,
  { page, to, field, file, token }: SentFile,
): Promise<{ status: number; html: string }> {
  const shown = await from.get(page);
  const body = new FormData();
  body.append(field, file);
  body.append('token', token ?? shown.token ?? '');
  const cookie = `${from.cookieName()}=${from.cookie()}`;
  const answer = await fetch(url + to, {
    ...{ method: 'POST', body, redirect: 'manual', headers: { cookie } },
  });
  return { status: answer.status, html: await answer.text() };
}

export const sendLogo = (url: string, from: Visitor, bytes: Uint8Array, { token }: { token?: string } = {}) =>
  sendFile(url, from, {
    ...{ page: '/organisation', to: '/organisation/logo', field: 'logo', token },
    file: new File([Buffer.from(bytes)], 'logo.png', { type: 'image/png' }),
  });

/** Sends a contract with an acquirer, in JSON. */
export const sendContract = (url: string, from: Visitor, content: string) =>
  sendFile(url, from, {
    ...{ page: '/organisation/idin', to: '/organisation/idin', field: 'contract' },
    file: new File([content], 'contract.json', { type: 'application/json' }),
  });

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The secret on the page that sets up the second factor. */
export function secretOn({ html }: Page): Buffer {
  return bytesOfKey(/<code>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '');
}

/** The bytes of a key as the page shows it, in base 32. */
export function bytesOfKey(shown: string): Buffer {
  const key = shown.replaceAll(' ', '');
  const bits = Array.from(key, (letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of now, or of a later step: a code that was accepted is not accepted again. */
export const codeOf = (secret: Buffer, stepsLater = 0): string =>
  totpCode(secret, new Date(Date.now() + stepsLater * 30_000));

/** Sets up a second factor with the page that asks for it. */
export async function setUpSecondFactor(
  visitor: Visitor,
): Promise<{ secret: Buffer; recoveryCodes: string[] }> {
  const secret = secretOn(await visitor.get('/second-factor'));
  const done = await visitor.post('/second-factor', { code: codeOf(secret) });
  expect(done.status).toBe(200);
  const recoveryCodes = [...done.html.matchAll(/<code>([a-z0-9-]{17})<\/code>/g)].map(
    ([, code = '']) => code,
  );
  plantPrivateParts([{ key: secret.toString('hex') }]);
  return { secret, recoveryCodes };
}

/** The path of a link with which somebody becomes a member. */
export async function pathOfInvitation(
  { store }: Pick<Harness, 'store'>,
  org: string,
  wanted: { email: string; role: MemberRole },
): Promise<string> {
  const invited = await inviteByOperator(store, org, wanted);
  if ('refused' in invited) throw new Error(`not invited: ${invited.refused}`);
  return `/link/${invited.link.token}`;
}

let counter = 0;

/**
 * Invites somebody as the operator does, and lets them set a password and, where the role needs it, a second factor. An operator belongs to
 * no organisation.
 */
export async function joins(
  { store }: Pick<Harness, 'store'>,
  url: string,
  {
    org = 'Acme',
    role = 'owner',
    email = `member${++counter}@example.com`,
  }: { org?: string; role?: ConsoleRole; email?: string } = {},
) {
  const invited =
    role === 'operator'
      ? await inviteOperator(store, email)
      : await inviteByOperator(store, org, { email, role });
  if ('refused' in invited) throw new Error(`not invited: ${invited.refused}`);
  const visitor = newVisitor(url, `192.0.2.${(counter % 200) + 20}`);
  const path = `/link/${invited.link.token}`;
  const accepted = await visitor.submit(path, path, { password: goodPassword });
  expect(accepted.status).toBe(303);
  const factor = rolesWithSecondFactor.includes(role) ? await setUpSecondFactor(visitor) : undefined;
  return { visitor, email, role, org, memberId: invited.memberId, ...factor };
}
export type Joined = Awaited<ReturnType<typeof joins>>;

/** Signs in with the password, and with a recovery code where the member has some. Returns the answer to the last form. */
export async function signsIn(who: Visitor, { email, recoveryCodes }: Joined): Promise<Page> {
  const answer = await who.submit('/sign-in', '/sign-in', { email, password: goodPassword });
  if (answer.location !== '/sign-in/code') return answer;
  return who.submit('/sign-in/code', '/sign-in/code', { recovery: recoveryCodes?.pop() ?? '' });
}
