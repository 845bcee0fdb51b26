import { randomUUID } from 'node:crypto';
import { consoleRoles, type MemberRole, memberRoles, operatorsId } from '#contract/members.ts';
import { call, type Harness } from '#test/support/harness.ts';
import { type Joined, joins } from '#test/support/people/console.ts';

/** The ids that a path can name, by the part of the path that says what it is. */
export type Ids = Record<string, string>;

const rolesOf = { Acme: consoleRoles, Globex: memberRoles } as const;
type Name = keyof typeof rolesOf;
export type Side<Org extends Name> = {
  /** A member of each role. The operator, who belongs to no organisation, is among those of Acme. */
  joined: Record<(typeof rolesOf)[Org][number], Joined>;
  key: string;
  organisationId: string;
  ids: Ids;
  /** What no page of the other organisation may have. */
  words: string[];
};

export type AnySide = { [Org in Name]: Side<Org> }[Name];

/** Makes two organisations that have one of everything. */
export async function twoOrganisations(harness: Harness, url: string): Promise<{ [Org in Name]: Side<Org> }> {
  const keys = { Acme: await harness.key({ org: 'Acme' }), Globex: await harness.key({ org: 'Globex' }) };
  await harness.rows`
    insert into eid_contracts (org_id, value, certificate_ends_at, simulated, issuers)
    select id, 'sealed'::bytea, now() + interval '1 year', false, '[]' from organisations`;

  async function sideOf<Org extends Name>(org: Org): Promise<Side<Org>> {
    const { key, id, organisationId } = keys[org];
    const joined = {} as Side<Org>['joined'];
    for (const role of rolesOf[org] as readonly (typeof rolesOf)[Org][number][])
      joined[role] = await joins(harness, url, { org, role });
    const { developer } = joined as Record<MemberRole, Joined>;
    const ids = {
      ...(await endpointOf(harness, key)),
      ...(await waysInOf(harness, developer)),
      keys: id,
      // The row of the operators is no organisation.
      organisations: org === 'Acme' ? organisationId : operatorsId,
      members: developer.memberId,
      verifications: await verificationOf(harness, key),
      review: await verificationOf(harness, key),
    };
    const emails = memberRoles.map((role) => (joined as Record<MemberRole, Joined>)[role].email);
    const words = [org, key.slice(-4), ...emails, ...Object.values(ids)];
    return { joined, key, organisationId, ids, words };
  }
  return { Acme: await sideOf('Acme'), Globex: await sideOf('Globex') };
}

export const verificationOf = async (harness: Harness, key: string): Promise<string> =>
  (await call(harness, 'POST', '/v1/verifications', { key, body: { sandbox: { scenario: 'review' } } })).json
    .id;

/** An endpoint that nothing listens at, and a delivery to it. */
async function endpointOf(harness: Harness, key: string): Promise<Pick<Ids, 'webhooks' | 'deliveries'>> {
  const { json } = await call(harness, 'POST', '/v1/webhooks', {
    ...{ key, body: { url: 'https://127.0.0.1:1025/hooks' } },
  });
  await call(harness, 'POST', `/v1/webhooks/${json.id}/test`, { key });
  const { json: deliveries } = await call(harness, 'GET', `/v1/webhooks/${json.id}/deliveries`, { key });
  return { webhooks: json.id, deliveries: deliveries.data[0].id };
}

/** A session and a passkey of a member. */
async function waysInOf(
  { rows }: Harness,
  { memberId }: Joined,
): Promise<Pick<Ids, 'sessions' | 'passkeys'>> {
  const [session] = await rows<{ id: string }>`select id from member_sessions where member_id = ${memberId}`;
  const [passkey] = await rows<{ id: string }>`
    insert into member_passkeys (id, member_id, org_id, credential_id, public_key, counter, name)
    select gen_random_uuid(), id, org_id, sha256(id::text::bytea), '', 0, 'phone' from members where id = ${memberId}
    returning id`;
  return { sessions: session?.id ?? '', passkeys: passkey?.id ?? '' };
}

export const pathsOf = (path: string, id: string, endpoint: string = randomUUID()): string =>
  path.replace(':id', id).replace(':endpoint', endpoint).replace(':token', 'unknown');

export function targetOf(path: string, ids: Ids): string {
  const [, first = '', second = ''] = path.split('/');
  const subject = ['account', 'operator'].includes(first) ? second : first;
  return pathsOf(path, ids[subject] ?? randomUUID(), ids.webhooks);
}

/** A token is random, and so could hold a word that a page must not show. */
export const withoutTokens = (html: string): string => html.replaceAll(/name="token" value="[^"]*"/g, '');
