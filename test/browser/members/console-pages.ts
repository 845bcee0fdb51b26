import type { Page } from 'playwright-core';
import { reasonsFor } from '../../integration/reviews/reasons.ts';
import { call, type Harness } from '../../support/harness.ts';
import {
  bytesOfKey,
  codeOf,
  goodPassword,
  type Joined,
  joins,
  newVisitor,
  pathOfInvitation,
} from '../../support/people/console.ts';
import { startPartner } from '../../support/people/partner.ts';
import type { PageLanguage } from '../../support/people/texts.ts';
import { signedToday } from '../../support/rows/roots.ts';
import { drawnWalks, until } from './drawn-walks.ts';
import { fillUsage } from './fill-usage.ts';

/** The organisation of these pages has used everything that can be used. */
export const organisation = 'Voorbeeld Verzekeringen';

const emails: Record<Member, string> = {
  ...{ owner: 'olga@voorbeeld.example', reviewer: 'rik@voorbeeld.example' },
  operator: 'bea@dienst.example',
};

type Roots = Parameters<typeof signedToday>[1];
type Member = 'owner' | 'reviewer' | 'operator';

/** Who sits before the browser. `half`: the code is missing. `newcomer`: the second factor is not set up. */
export type Seat = 'nobody' | 'half' | 'newcomer' | Member;

/** A page that somebody opens. `name` is that of its picture. */
export type Shown = { name: string; as: Seat; path: string; status?: number };

/** A form that is answered with a page of its own, or shown again with its faults. */
export type Sent = {
  name: string;
  as: Seat;
  /** The page with the form. It may have to be made first. */
  at(): Promise<string> | string;
  /** Types into the form. */
  fill?(page: Page): Promise<unknown>;
  status: 200 | 422;
};

/** Makes an organisation of whose pages none is empty. */
export async function everyConsolePage(harness: Harness, url: string, roots: Roots) {
  const failing = { status: 500, body: 'Disk full: order-7 was not stored' };
  const place = { org: organisation, environment: 'live' as const };
  const partner = await startPartner(harness, place, { status: 200 }, failing);
  const sandbox = await harness.key({ org: organisation });
  const used = await harness.key({ org: organisation, rateLimit: null });
  await harness.key({ org: organisation, expiresAt: new Date(Date.now() - 1000) });
  await harness.settings(
    { reviewEyes: 2, colour: '#3b2a8c', contact: 'klant@voorbeeld.example' },
    organisation,
  );
  const seats = {} as Record<Member, Joined>;
  for (const role of ['owner', 'reviewer', 'operator'] as const)
    seats[role] = await joins(harness, url, { org: organisation, role, email: emails[role] });
  const developer = await joins(harness, url, {
    ...{ org: organisation, role: 'developer', email: 'dirk@voorbeeld.example' },
  });
  const invited = await pathOfInvitation(harness, organisation, {
    ...{ email: 'nieuw@voorbeeld.example', role: 'auditor' },
  });
  const walked = await drawnWalks(harness, partner.key);
  const [seen, claimed, decided] = [
    await walked('klant 41'),
    await walked('klant 42'),
    await walked('klant 43'),
  ];
  await nameKeys(harness);
  const { owner, reviewer } = seats;
  await owner.visitor.submit('/review', `/review/${claimed}/claim`);
  await owner.visitor.submit('/review', `/review/${decided}/claim`);
  const reason = reasonsFor('approved');
  await owner.visitor.submit(`/review/${decided}`, `/review/${decided}/decide`, {
    ...{ outcome: 'approved', reason },
  });
  await reviewer.visitor.submit('/review', `/review/${claimed}/claim`);
  await signedToday(harness, roots);
  const asked = await owner.visitor.submit(`/verifications/${seen}`, `/verifications/${seen}/dossier`, {
    ...{ format: 'pdf' },
  });
  const dossier = asked.location ?? '';
  await until(async () => (await owner.visitor.get(`${dossier}/file`)).status, 200);
  const failed = async () => (await partner.deliveries('?status=retrying')) as { id: string }[];
  await until(async () => (await failed()).length > 0, true);
  const [delivery] = await failed();
  await call(harness, 'GET', '/v1/verifications', { key: used.key });
  await fillUsage(harness, partner.organisationId);

  const idOf: Record<string, string> = {
    '/review/:id': claimed,
    '/verifications/:id': seen,
    '/dossiers/:id': dossier.replace('/dossiers/', ''),
    '/keys/:id': used.id,
    '/webhooks/:id': partner.endpoint.id,
    '/deliveries/:id': delivery?.id ?? '',
    '/members/:id': developer.memberId,
    '/operator/organisations/:id': partner.organisationId,
  };
  const page = (name: string, pattern: string, as: Seat = 'owner'): [string, Shown] => [
    pattern,
    { name, as, path: pattern.replace(':id', idOf[pattern] ?? ':id').replace('/link/:token', invited) },
  ];

  /** Each page by its row in the table of pages. */
  const pages: Record<string, Shown | 'a file'> = {
    ...Object.fromEntries([
      page('sign-in', '/sign-in', 'nobody'),
      page('second-step', '/sign-in/code', 'half'),
      page('link', '/link/:token', 'nobody'),
      page('second-factor', '/second-factor', 'newcomer'),
      page('home', '/'),
      page('operator', '/operator', 'operator'),
      page('operator-organisation', '/operator/organisations/:id', 'operator'),
      page('queue', '/review'),
      page('own-decisions', '/review/mine'),
      page('review', '/review/:id'),
      page('verifications', '/verifications'),
      page('verification', '/verifications/:id'),
      page('dossier', '/dossiers/:id'),
      page('keys', '/keys'),
      page('key-form', '/keys/new'),
      page('key', '/keys/:id'),
      page('webhooks', '/webhooks'),
      page('webhook-form', '/webhooks/new'),
      page('webhook', '/webhooks/:id'),
      page('delivery', '/deliveries/:id'),
      page('requests', '/requests'),
      page('usage', '/usage'),
      page('members', '/members'),
      page('member', '/members/:id'),
      page('organisation', '/organisation'),
      page('idin', '/organisation/idin'),
      page('log', '/log'),
      page('account', '/account'),
      page('passkeys', '/account/passkeys'),
    ]),
    '/dossiers/:id/file': 'a file',
  };

  const keyId = async () => (await harness.key({ org: organisation })).id;
  const endpoint = async () => {
    const body = { url: 'https://127.0.0.1:1025/hooks' };
    return (await call(harness, 'POST', '/v1/webhooks', { key: sandbox.key, body })).json.id;
  };
  const type = (fields: Record<string, string>) => async (shown: Page) => {
    for (const [name, value] of Object.entries(fields)) await shown.fill(`#${name}`, value);
  };
  const typePassword = (name: string) => type({ [name]: goodPassword });
  let invitations = 0;

  /**
   * Each form that is answered with a page, by its row in the table of pages. Passwords are typed by several members, because a member has
   * few attempts in a quarter of an hour.
   */
  const answers: Record<string, Sent> = {
    '/link/:token': {
      name: 'link-fault',
      as: 'nobody',
      at: () => invited,
      fill: type({ password: 'short' }),
      status: 422,
    },
    '/sign-in': {
      ...{ name: 'sign-in-fault', as: 'nobody', at: () => '/sign-in', status: 422 },
      fill: type({ email: emails.owner, password: 'nothing like it' }),
    },
    '/second-factor': {
      ...{ name: 'recovery-codes', as: 'newcomer', at: () => '/second-factor', status: 200 },
      fill: async (shown) =>
        shown.fill('#code', codeOf(bytesOfKey((await shown.textContent('main p code')) ?? ''))),
    },
    '/keys/new': {
      name: 'key-once',
      as: 'owner',
      at: () => '/keys/new',
      fill: type({ name: 'webwinkel' }),
      status: 200,
    },
    '/keys/:id/rotate': {
      name: 'key-replaced',
      as: 'owner',
      at: async () => `/keys/${await keyId()}`,
      status: 200,
    },
    '/webhooks/new': {
      ...{ name: 'webhook-secret', as: 'owner', at: () => '/webhooks/new', status: 200 },
      fill: type({ url: 'https://127.0.0.1:1025/hooks', description: 'boekhouding' }),
    },
    '/webhooks/:id/rotate': {
      ...{ name: 'webhook-new-secret', as: 'owner', status: 200 },
      at: async () => `/webhooks/${await endpoint()}`,
    },
    '/members': {
      ...{ name: 'invitation', as: 'owner', at: () => '/members', status: 200 },
      fill: (shown) => type({ email: `collega${++invitations}@voorbeeld.example` })(shown),
    },
    '/members/:id/reset': {
      name: 'reset-link',
      as: 'owner',
      at: () => `/members/${developer.memberId}`,
      status: 200,
    },
    '/account/password': {
      ...{ name: 'password-fault', as: 'reviewer', at: () => '/account', status: 422 },
      fill: type({ old: goodPassword, fresh: 'aaaaaaaaaa' }),
    },
    '/account/recovery-codes': {
      ...{ name: 'new-recovery-codes', as: 'owner', at: () => '/account', status: 200 },
      fill: typePassword('password_for_codes'),
    },
    '/account/passkeys': {
      ...{ name: 'passkey', as: 'operator', at: () => '/account/passkeys', status: 200 },
      fill: (shown) => type({ name: 'telefoon', password: goodPassword })(shown),
    },
    '/organisation/shown': {
      ...{ name: 'organisation-fault', as: 'owner', at: () => '/organisation', status: 422 },
      fill: type({ colour: 'paars' }),
    },
    '/verifications/:id/evidence': {
      name: 'evidence',
      as: 'owner',
      at: () => `/verifications/${seen}`,
      status: 200,
    },
    '/verifications/:id/erase': {
      name: 'erase-fault',
      as: 'owner',
      at: () => `/verifications/${seen}`,
      status: 422,
    },
    '/review/:id/decide': { name: 'review-fault', as: 'owner', at: () => `/review/${claimed}`, status: 422 },
    '/operator/organisations/:id/pause': {
      ...{ name: 'pause-fault', as: 'operator', status: 422 },
      at: () => `/operator/organisations/${partner.organisationId}`,
    },
  };

  const further: Shown[] = [
    { name: 'no-page', as: 'owner', path: '/nowhere', status: 404 },
    { name: 'forbidden', as: 'reviewer', path: '/keys', status: 403 },
    { name: 'refused', as: 'reviewer', path: `/review/${claimed}`, status: 409 },
    { name: 'unknown-link', as: 'nobody', path: '/link/unknown', status: 404 },
    { name: 'nothing-found', as: 'owner', path: '/verifications?text=nobody' },
    { name: 'empty-queue', as: 'owner', path: '/review?environment=sandbox' },
    { name: 'reset', as: 'nobody', path: await resetLink(owner, reviewer.memberId) },
  ];

  /** The cookie of somebody in this seat, whose pages are in this language. */
  async function cookieOf(seat: Exclude<Seat, 'nobody'>, language: PageLanguage) {
    const visitor =
      seat === 'half' || seat === 'newcomer' ? await halfway(harness, url, seat) : seats[seat].visitor;
    await harness.rows`update members set language = ${language}`;
    return { name: visitor.cookieName(), value: visitor.cookie(), url };
  }

  return { pages, answers, further, cookieOf };
}

/** Keys of a test have no name. */
const nameKeys = ({ rows }: Pick<Harness, 'rows'>) => rows`
  update api_keys set name = named.name
  from (select id, 'webwinkel ' || row_number() over (order by created_at, id) as name from api_keys) as named
  where named.id = api_keys.id`;

let newcomers = 0;

/** Somebody whose sign-in is not at its end. */
async function halfway(harness: Harness, url: string, seat: 'half' | 'newcomer') {
  const email = `nel${++newcomers}@voorbeeld.example`;
  const path = await pathOfInvitation(harness, organisation, { email, role: 'reviewer' });
  const visitor = newVisitor(url, `198.51.100.${newcomers}`);
  await visitor.submit(path, path, { password: goodPassword });
  if (seat === 'newcomer') return visitor;
  await harness.rows`update members set totp_secret = '\\x00' where email = ${email}`;
  await visitor.submit('/sign-out', '/sign-out');
  await visitor.submit('/sign-in', '/sign-in', { email, password: goodPassword });
  return visitor;
}

async function resetLink({ visitor }: Joined, memberId: string): Promise<string> {
  const { html } = await visitor.submit(`/members/${memberId}`, `/members/${memberId}/reset`);
  return /\/link\/[\w-]+/.exec(html)?.[0] ?? '';
}
