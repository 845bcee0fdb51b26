import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { joins, type Page } from '#test/support/people/console.ts';

/** A value that no list offers: each form is shown again with the fault beside its field, with what was typed, and changes nothing. */

const harness = await startHarness();
const { url } = await harness.startConsole();
const { key, organisationId } = await harness.key({ org: 'Acme' });
const owner = await joins(harness, url, { role: 'owner' });
const send = (page: string, to: string, fields: Record<string, string>, { visitor } = owner) =>
  visitor.submit(page, to, fields);

/** The fault is beside its field, and nowhere else. */
function expectBeside({ status, html }: Page, name: string, text: string) {
  expect(status).toBe(422);
  expect(html).toContain(`<strong class="fault" id="${name}-fault">${text}</strong>`);
  expect(html).toMatch(new RegExp(`aria-describedby="[^"]*\\b${name}-fault\\b[^"]*"`));
  expect(html).not.toContain('role="alert"');
}

const endpoint = async (): Promise<string> =>
  (await call(harness, 'POST', '/v1/webhooks', { key, body: { url: 'https://127.0.0.1:1025/hooks' } })).json
    .id;

test('the role of a member', async () => {
  const { memberId } = await joins(harness, url, { role: 'developer' });
  const path = `/members/${memberId}`;
  expectBeside(await send(path, `${path}/role`, { role: 'king' }), 'role', 'Choose a role.');
  expect(await harness.rows`select role from members where id = ${memberId}`).toEqual([
    { role: 'developer' },
  ]);
});

test('the role of the last owner is refused, and the chosen one stays chosen', async () => {
  const path = `/members/${owner.memberId}`;
  const { status, html } = await send(path, `${path}/role`, { role: 'auditor' });
  expect(status).toBe(409);
  expect(html).toMatch(/<option value="auditor" selected/);
});

test('how long the old secret of an endpoint still signs', async () => {
  const id = await endpoint();
  const secrets = () => harness.rows`select secret from webhook_endpoints where id = ${id}`;
  const before = await secrets();
  const faulty = await send(`/webhooks/${id}`, `/webhooks/${id}/rotate`, { overlap: '5' });
  expectBeside(faulty, 'overlap', 'Choose one of the list.');
  expect(faulty.html).toMatch(/<option value="24" selected/);
  expect(await secrets()).toEqual(before);
});

test('a faulty form of an endpoint that was deleted in the meantime says that it is deleted', async () => {
  const id = await endpoint();
  await send(`/webhooks/${id}`, `/webhooks/${id}/delete`, { sure: 'yes' });
  const { status, html } = await send(`/webhooks/${id}`, `/webhooks/${id}/rotate`, { overlap: '5' });
  expect([status, html.includes('role="alert"')]).toEqual([409, true]);
});

test('the language and the zone of a member: the language stays as it was chosen', async () => {
  const saved = (fields: Record<string, string>) => send('/account', '/account/preferences', fields);
  const wrongZone = await saved({ language: 'nl', time_zone: 'Mars/Base' });
  expectBeside(wrongZone, 'time_zone', 'Choose a zone of the list.');
  expect(wrongZone.html).toMatch(/<option value="nl" selected/);
  const wrongLanguage = await saved({ language: 'eo', time_zone: 'Europe/Amsterdam' });
  expectBeside(wrongLanguage, 'language', 'Choose a language of the list.');
  expect(wrongLanguage.html).toMatch(/<option value="Europe\/Amsterdam" selected/);
  expect(await harness.rows`select language, time_zone from members where id = ${owner.memberId}`).toEqual([
    { language: 'en', time_zone: null },
  ]);
});

test('the format of a dossier', async () => {
  const { id } = (await call(harness, 'POST', '/v1/verifications', { key, body: {} })).json;
  const page = `/verifications/${id}`;
  for (const format of ['xml', ''])
    expectBeside(await send(page, `${page}/dossier`, { format }), 'format', 'Choose PDF or JSON.');
  expect(await harness.rows`select from requests where operation = 'make_dossier'`).toEqual([]);
});

test('the box of what harms if it was not meant: nothing happens without it', async () => {
  const { id: keyId } = await harness.key({ org: 'Acme' });
  const { memberId } = await joins(harness, url, { role: 'developer' });
  const open = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  const forms = [
    [`/keys/${keyId}`, 'revoke'],
    [`/members/${memberId}`, 'disable'],
    [`/webhooks/${await endpoint()}`, 'delete'],
    [`/verifications/${open.json.id}`, 'cancel'],
    [`/verifications/${open.json.id}`, 'erase'],
  ] as const;
  for (const [page, act] of forms)
    expectBeside(await send(page, `${page}/${act}`, {}), 'sure', 'Tick the box first. Nothing was changed.');
  await send(`/members/${memberId}`, `/members/${memberId}/disable`, { sure: 'yes' });
  const removal = `/members/${memberId}/remove`;
  expectBeside(
    await send(`/members/${memberId}`, removal, {}),
    'sure',
    'Tick the box first. Nothing was changed.',
  );
  const untouched = await harness.rows`
    select (select revoked_at is null from api_keys where id = ${keyId}) as key,
      (select email is not null from members where id = ${memberId}) as member,
      (select cancelled_at is null and erased_at is null from verifications where id = ${open.json.id}) as verification,
      (select bool_and(active) from webhook_endpoints where org_id = ${organisationId}
        and id = ${forms[2][0].slice('/webhooks/'.length)}) as endpoint`;
  expect(untouched).toEqual([{ key: true, member: true, verification: true, endpoint: true }]);
});

test('the box of an operator who stops an organisation or an endpoint', async () => {
  const operator = await joins(harness, url, { role: 'operator' });
  const [id, other] = [await endpoint(), await endpoint()];
  const place = `/operator/organisations/${organisationId}`;
  const unsure = 'Tick the box first. Nothing was changed.';
  const whole = await send(place, `${place}/pause`, {}, operator);
  expectBeside(whole, 'sure', unsure);
  expect(whole.html.match(/sure-fault/g)).toHaveLength(2);
  const one = await send(place, `${place}/endpoints/${id}/pause`, {}, operator);
  expectBeside(one, 'sure', unsure);
  const formOf = (each: string) =>
    new RegExp(`<form [^>]*/endpoints/${each}/pause".*?</form>`, 's').exec(one.html)?.[0];
  expect(formOf(id)).toContain(unsure);
  expect(formOf(other)).not.toContain(unsure);
  expect(await harness.rows`select paused_at from webhook_endpoints where paused_at is not null`).toEqual([]);
});
