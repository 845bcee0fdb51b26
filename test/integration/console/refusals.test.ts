import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor } from '#test/support/people/console.ts';

const logTo = new PassThrough();
let logged = '';
logTo.on('data', (chunk) => {
  logged += String(chunk);
});
const harness = await startHarness({ logTo });
const { url } = await harness.startConsole();
const { key, organisationId } = await harness.key({ org: 'Acme' });
const owner = await joins(harness, url, { role: 'owner' });
const reviewer = await joins(harness, url, { role: 'reviewer' });
const stranger = await joins(harness, url, { org: 'Other', role: 'owner' });
const body = { reference: 'customer 61', sandbox: { scenario: 'review' } };
const { id } = (await call(harness, 'POST', '/v1/verifications', { key, body })).json;

const typed = 'typed by hand';

/** The lines about refusals that this request left, without their time. */
async function refusalsOf(request: () => Promise<unknown>) {
  const from = logged.length;
  await request();
  const text = logged.slice(from);
  const lines = text.split('\n').filter((line) => line.includes('the console refused a request'));
  for (const line of lines)
    for (const personal of ['customer 61', typed, goodPassword, owner.email, reviewer.email, stranger.email])
      expect(line).not.toContain(personal);
  return lines.map((line) => JSON.parse(line));
}

const lineOf = (member: { memberId: string } | undefined, refused: string) => [
  expect.objectContaining({
    ...{ request_id: expect.any(String), refused },
    ...(member && { member_id: member.memberId }),
  }),
];

test('a form that the role may not send is one line with the member', async () => {
  const sent = () => reviewer.visitor.submit('/account', `/verifications/${id}/erase`, { sure: 'yes' });
  expect(await refusalsOf(sent)).toEqual(lineOf(reviewer, 'forbidden'));
  expect(await refusalsOf(() => reviewer.visitor.get('/keys'))).toEqual(lineOf(reviewer, 'forbidden'));
});

test('a form with a wrong token, and one that is sent again, are one line each', async () => {
  const path = `/verifications/${id}/link`;
  expect(await refusalsOf(() => owner.visitor.post(path, {}, { token: typed }))).toEqual(
    lineOf(owner, 'stale'),
  );
  await owner.visitor.submit('/account', `/review/${id}/release`);
  expect(await refusalsOf(() => owner.visitor.post(`/review/${id}/release`))).toEqual(
    lineOf(owner, 'repeated'),
  );
});

test.each([
  ['of another organisation', id],
  ['that is unknown', '00000000-0000-4000-8000-000000000000'],
  ['that is no id', typed],
])('an id %s is one line, on a page and in a form', async (_, wanted) => {
  const path = `/verifications/${encodeURIComponent(wanted)}`;
  expect(await refusalsOf(() => stranger.visitor.get(path))).toEqual(lineOf(stranger, 'unknown_id'));
  expect(
    await refusalsOf(() => stranger.visitor.submit('/account', `${path}/erase`, { sure: 'yes' })),
  ).toEqual(lineOf(stranger, 'unknown_id'));
});

test('a review that is refused is one line with its reason, and so is an order that comes too late', async () => {
  const decided = () =>
    reviewer.visitor.submit('/review', `/review/${id}/decide`, {
      outcome: 'rejected',
      reason: reasonsFor('rejected'),
    });
  expect(await refusalsOf(decided)).toEqual(lineOf(reviewer, 'claim_lost'));
  const late = () => owner.visitor.submit('/account', `/verifications/${id}/cancel`, { sure: 'yes' });
  expect(await refusalsOf(late)).toEqual(lineOf(owner, 'already_completed'));
});

test('what another member holds, and what was erased, are one line each with the member who asked', async () => {
  const create = async () => (await call(harness, 'POST', '/v1/verifications', { key, body })).json.id;
  const held = await create();
  expect((await owner.visitor.submit('/review', `/review/${held}/claim`)).status).toBe(303);
  const claim = () => reviewer.visitor.submit('/review', `/review/${held}/claim`);
  expect(await refusalsOf(claim)).toEqual(lineOf(reviewer, 'claimed_by_other'));

  const erased = await create();
  const path = `/verifications/${erased}`;
  expect((await reviewer.visitor.submit('/review', `/review/${erased}/claim`)).status).toBe(303);
  expect((await owner.visitor.submit(path, `${path}/erase`, { sure: 'yes' })).status).toBe(303);
  const decide = () =>
    reviewer.visitor.submit('/review', `/review/${erased}/decide`, {
      ...{ outcome: 'approved', reason: reasonsFor('approved') },
    });
  expect(await refusalsOf(decide)).toEqual(lineOf(reviewer, 'erased'));
});

describe('an act that is refused with a page that says why is one line with its code', () => {
  const act = (path: string, fields = {}) => refusalsOf(() => owner.visitor.submit('/account', path, fields));
  const newEndpoint = async (): Promise<string> =>
    (await call(harness, 'POST', '/v1/webhooks', { key, body: { url: 'https://127.0.0.1:1025/hooks' } })).json
      .id;

  test('a key', async () => {
    const { id: keyId } = await harness.key({ org: 'Acme' });
    expect(await act(`/keys/${keyId}/revoke`, { sure: 'yes' })).toEqual([]);
    expect(await act(`/keys/${keyId}/revoke`, { sure: 'yes' })).toEqual(lineOf(owner, 'not_valid'));
    expect(await act(`/keys/${keyId}/rotate`, { overlap: '0' })).toEqual(lineOf(owner, 'revoked'));
  });

  test('a member', async () => {
    expect(await act(`/members/${owner.memberId}/disable`, { sure: 'yes' })).toEqual(
      lineOf(owner, 'last_owner'),
    );
  });

  test('an endpoint, its delivery, and the pause of an operator', async () => {
    const endpointId = await newEndpoint();
    const path = `/webhooks/${endpointId}`;
    const { location } = await owner.visitor.submit(path, `${path}/test`);
    const delivery = location?.replace(/[?].*/, '');
    expect(await act(`${path}/delete`, { sure: 'yes' })).toEqual([]);
    expect(await act(`${path}/test`)).toEqual(lineOf(owner, 'webhook_inactive'));
    expect(await act(`${delivery}/resend`)).toEqual(lineOf(owner, 'webhook_inactive'));
    const operator = await joins(harness, url, { role: 'operator' });
    const place = `/operator/organisations/${organisationId}`;
    const pause = () =>
      operator.visitor.submit(place, `${place}/endpoints/${endpointId}/pause`, { sure: 'yes' });
    expect(await refusalsOf(pause)).toEqual(lineOf(operator, 'webhook_inactive'));
  });

  test('a dossier that nobody can sign', async () => {
    expect(await act(`/verifications/${id}/dossier`, { format: 'json' })).toEqual(lineOf(owner, 'no_key'));
  });
});

describe('a wrong password or code is one line, without what was typed and without the address', () => {
  const visitor = newVisitor(url, '198.51.100.61');

  test('before somebody is signed in, no member is named', async () => {
    const wrong = () => visitor.submit('/sign-in', '/sign-in', { email: reviewer.email, password: typed });
    const lines = await refusalsOf(wrong);
    expect(lines).toEqual(lineOf(undefined, 'wrong_password'));
    expect(lines[0]).not.toHaveProperty('member_id');
    const unknown = () => visitor.submit('/link/unknown', '/link/unknown', { password: goodPassword });
    expect((await refusalsOf(unknown)).at(-1)).toMatchObject({ refused: 'unknown_link' });
  });

  test('a code and a recovery code at the sign-in', async () => {
    await visitor.submit('/sign-in', '/sign-in', { email: reviewer.email, password: goodPassword });
    for (const field of ['code', 'recovery']) {
      const wrong = () => visitor.submit('/sign-in/code', '/sign-in/code', { [field]: typed });
      expect(await refusalsOf(wrong)).toEqual(lineOf(reviewer, 'wrong_code'));
    }
  });

  test('a code when the second factor is set up, which stays to be set up', async () => {
    const auditor = await joins(harness, url, { role: 'auditor' });
    const wrong = () => auditor.visitor.submit('/second-factor', '/second-factor', { code: typed });
    expect(await refusalsOf(wrong)).toEqual(lineOf(auditor, 'wrong_code'));
    const { status, html } = await auditor.visitor.post('/second-factor', { code: '000000' });
    expect([status, html.includes('id="code-fault"')]).toEqual([422, true]);
    expect((await auditor.visitor.get('/second-factor')).status).toBe(200);
    expect(
      await harness.rows`select from members where id = ${auditor.memberId} and totp_secret is not null`,
    ).toEqual([]);
  });

  test('the present password on the page of the own account', async () => {
    const { visitor: who } = owner;
    for (const [path, fields] of [
      ['/account/password', { old: typed, fresh: 'yellow harbour seven whistles' }],
      ['/account/recovery-codes', { password_for_codes: typed }],
      ['/account/passkeys', { name: 'phone', password: typed }],
    ] as const)
      expect([path, await refusalsOf(() => who.submit('/account', path, fields))]).toEqual([
        path,
        lineOf(owner, 'wrong_password'),
      ]);
    const weak = () =>
      who.submit('/account', '/account/password', { old: goodPassword, fresh: 'aaaaaaaaaa' });
    expect(await refusalsOf(weak), 'a fault of a field is no refusal').toEqual([]);
  });
});

test('a page that is shown, and a form that is carried out, leave no such line', async () => {
  expect(await refusalsOf(() => owner.visitor.get(`/verifications/${id}`))).toEqual([]);
  expect(await refusalsOf(() => owner.visitor.submit('/review', `/review/${id}/claim`))).toEqual([]);
});
