import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { describe, expect, inject, test } from 'vitest';
import { operatorsId } from '#contract/members.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';
import { inviteOperator } from '#test/support/people/as-operator.ts';
import { codeOf, goodPassword, joins, newVisitor, setUpSecondFactor } from '#test/support/people/console.ts';
import { createsBecome } from '#test/support/people/creates.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { holdTable } from '#test/support/servers/locks.ts';

/** The operator in the console: the way in, what is open, and what an operator can stop. */

const logTo = new PassThrough();
let logged = '';
logTo.on('data', (chunk) => {
  logged += String(chunk);
});
const harness = await startHarness({ logTo });
const otherProcess = await harness.startApi();
const { url } = await harness.startConsole();
const partner = await startPartner(harness, { org: 'Bank', query: '?token=of-the-partner' });
const live = await harness.key({ org: 'Bank', environment: 'live' });
const owner = await joins(harness, url, { org: 'Bank', role: 'owner' });
const operator = await joins(harness, url, { role: 'operator' });
const place = `/operator/organisations/${partner.organisationId}`;
const atEndpoint = `${place}/endpoints/${partner.endpoint.id}`;

let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);
const press = (path: string, fields = {}, page = place) => operator.visitor.submit(page, path, fields);
const sure = { sure: 'yes' };
const linesOf = (type: string) =>
  harness.rows<{ actor: unknown; subject: string }>`
    select data -> 'actor' as actor, subject_id as subject from ledger where type = ${type} order by created_at`;

const program = new URL('../../../worker/commands/console-invite.ts', import.meta.url);
const env = {
  ...{ DATABASE_URL: harness.databaseUrl, TEMPORAL_ADDRESS: inject('temporalAddress') },
  ...{ DATA_DIR: newFolder(), SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
  CONSOLE_URL: url,
};
async function invite(...args: string[]) {
  const { exit, stdout, stderr } = await ended(runProgram(program, args, env));
  return { exit, stderr, stdout, path: /\/link\/[\w-]{43}/.exec(stdout)?.[0] ?? '' };
}

describe('the way in', () => {
  const email = 'anna@service.example';
  const accept = async (path: string) => {
    const who = visitor();
    const { html } = await who.get(path);
    const { status } = await who.submit(path, path, { password: goodPassword });
    expect(status).toBe(303);
    return { who, html };
  };

  test('a link of the command makes an operator, who needs a second factor and then signs in with both', async () => {
    const { who, html } = await accept((await invite('--operator', '--email', email)).path);
    expect(html).toContain('You are invited as operator');
    for (const path of ['/', '/operator', place, '/account'])
      expect([path, (await who.get(path)).location?.replace(/\?.*/, '')]).toEqual([path, '/second-factor']);
    const { secret } = await setUpSecondFactor(who);
    expect((await who.get('/operator')).status).toBe(200);

    const again = visitor();
    await again.submit('/sign-in', '/sign-in', { email, password: goodPassword });
    expect((await again.get('/operator')).location).toBe('/sign-in/code?next=%2Foperator');
    await again.submit('/sign-in/code', '/sign-in/code', { code: codeOf(secret, 1) });
    expect((await again.get('/')).location).toBe('/operator');
    expect((await again.get('/operator')).html).toContain('Service operations');
    expect((await again.get('/account')).html).toContain('Signed-in browsers');
  });

  test('a reset link takes the second factor and the sessions away, and a removal ends everything', async () => {
    const { path } = await invite('--operator', '--email', email, '--reset');
    const { who } = await accept(path);
    expect((await who.get('/operator')).location).toBe('/second-factor?next=%2Foperator');
    await setUpSecondFactor(who);
    expect((await who.get('/operator')).status).toBe(200);
    const removed = await invite('--operator', '--email', email, '--remove');
    expect([removed.exit, removed.stdout]).toEqual([0, expect.stringContaining('no operator any more')]);
    expect((await who.get('/operator')).location).toBe('/sign-in?next=%2Foperator');
    const late = await visitor().submit('/sign-in', '/sign-in', { email, password: goodPassword });
    expect(late.status).toBe(422);
    expect((await invite('--operator', '--email', email, '--remove')).exit).toBe(69);
    expect((await invite('--operator', '--email', email)).path).not.toBe('');
  });

  test.each([
    [['--operator', '--org', 'Bank', '--email', email], 'has no organisation'],
    [['--operator', '--role', 'owner', '--email', email], 'no other role'],
    [['--org', 'Bank', '--role', 'operator', '--email', email], '--role is not valid'],
    [['--org', 'Bank', '--remove', '--email', email], '--remove is for operators'],
    [['--operator', '--reset', '--remove', '--email', email], 'not both'],
    [['--org', '', '--reset', '--email', email], '--org is required'],
    [['--operator', '--email', 'nobody'], '--email is not valid'],
  ])('%s is refused with a reason', async (args, reason) => {
    const { exit, stderr } = await invite(...args);
    expect([exit, stderr]).toEqual([64, expect.stringContaining(reason)]);
  });

  test('somebody who is also a member of an organisation chooses where to sign in', async () => {
    const both = `both@service.example`;
    await joins(harness, url, { org: 'Bank', role: 'developer', email: both });
    await joins(harness, url, { role: 'operator', email: both });
    const { html } = await visitor().submit('/sign-in', '/sign-in', {
      ...{ email: both, password: goodPassword },
    });
    expect(html).toContain('Service operations');
    expect(html).toContain('Bank</option>');
  });

  test('neither an owner nor a mistake in the product makes an operator of an organisation', async () => {
    const asked = await owner.visitor.submit('/members', '/members', {
      ...{ email: 'x@example.com', role: 'operator' },
    });
    expect([asked.status, asked.html]).toEqual([422, expect.stringContaining('Choose a role')]);
    for (const write of [
      () => harness.rows`update members set role = 'operator' where id = ${owner.memberId}`,
      () => harness.rows`update members set role = 'owner' where id = ${operator.memberId}`,
      () => harness.rows`update organisations set name = '' where id = ${partner.organisationId}`,
      () =>
        harness.rows`update api_keys set org_id = ${operatorsId} where org_id = ${partner.organisationId}`,
    ])
      await expect(write()).rejects.toThrow(/operators/);
  });
});

describe('what is open', () => {
  test('is on one page, with every organisation and without the row of the operators', async () => {
    await partner.ask('POST', '/verifications', { method: 'document_only', sandbox: { scenario: 'review' } });
    const { status, html } = await operator.visitor.get('/operator');
    expect(status).toBe(200);
    expect(html).toMatch(/Open workflows: verification<\/th><td[^>]*>\d/);
    expect(html).toMatch(/Deliveries that are due<\/th><td[^>]*>\d/);
    await expect
      .poll(async () => (await operator.visitor.get('/operator')).html)
      .toMatch(/Reviews that wait, sandbox<\/th><td[^>]*>1</);
    expect(html).toMatch(/Pictures<\/th><td[^>]*>nothing is past its time/);
    const listed = [...html.matchAll(/href="\/operator\/organisations\/([^"]+)">([^<]*)</g)];
    expect(listed.map(([, id, name]) => [id, name])).toEqual([[partner.organisationId, 'Bank']]);
  });

  test('goes on from the last name, and says where nothing follows', async () => {
    await harness.rows`
      insert into organisations (id, name) select gen_random_uuid(), 'many ' || lpad(n::text, 3, '0') from generate_series(1, 60) as n`;
    const first = (await operator.visitor.get('/operator')).html;
    const next = /href="(\/operator\?after=[^"]+)"/.exec(first)?.[1] ?? '';
    const second = (await operator.visitor.get(next)).html;
    const names = [first, second].flatMap((html) => [...html.matchAll(/">((?:many \d+)|Bank)<\/a>/g)]);
    expect(new Set(names.map(([, name]) => name)).size).toBe(61);
    expect(names).toHaveLength(61);
    expect((await operator.visitor.get('/operator?after=zzz')).html).toContain('No organisation comes after');
    await harness.rows`delete from organisations where name like 'many %'`;
  });

  test('is told but for the part whose table does not answer', async () => {
    const held = await holdTable(harness, 'deliveries');
    const { status, html } = await operator.visitor.get('/operator');
    await held.release();
    expect(status).toBe(200);
    expect(html).toMatch(/>Deliveries<\/th><td[^>]*>not known/);
    expect(html).toMatch(/Reviews that wait, sandbox<\/th><td[^>]*>1</);
    expect(html).toMatch(/Organisations<\/h2><p>not known/);
  });
});

describe('an organisation', () => {
  const become = (answer: 'accepted' | 'organisation_paused') =>
    createsBecome([harness, otherProcess], { key: live.key, body: { method: 'document_only' } }, answer);

  test('that the operator pauses is refused its creates in every process, until it is resumed; its log says who', async () => {
    await become('accepted');
    const unsure = await press(`${place}/pause`);
    expect([unsure.status, unsure.html]).toEqual([422, expect.stringContaining('Tick the box first')]);
    await become('accepted');
    expect((await press(`${place}/pause`, sure)).location).toBe(`${place}?notice=organisation_paused`);
    await become('organisation_paused');
    expect((await operator.visitor.get('/operator')).html).toMatch(
      /Bank<\/a><\/th><td[^>]*><span[^>]*>paused/,
    );
    expect((await owner.visitor.get('/organisation')).html).toContain(
      'operator has paused your organisation',
    );

    expect((await press(`${place}/resume`)).location).toBe(`${place}?notice=organisation_resumed`);
    await become('accepted');
    const by = { kind: 'operator', id: operator.memberId };
    const line = { actor: by, subject: partner.organisationId };
    expect(await linesOf('organisation.changed')).toEqual([line, line]);
    const log = (await owner.visitor.get('/log?kind=organisation')).html;
    expect(log.split(`the operator<br/><small><code>${operator.memberId}`)).toHaveLength(3);
    expect(log).not.toContain(operator.email);
  });

  test('has its endpoints on its page without what can be secret; a pause holds events, and a member cannot end it', async () => {
    const page = (await operator.visitor.get(place)).html;
    expect(page).toContain(new URL(partner.endpoint.url).origin);
    expect(page).not.toContain('of-the-partner');
    expect((await press(`${atEndpoint}/pause`)).status).toBe(422);
    expect((await press(`${atEndpoint}/pause`, sure)).location).toBe(`${place}?notice=paused`);
    const before = partner.receiver.received.length;
    await partner.ask('POST', '/verifications', { method: 'document_only' });
    const queued = () => harness.rows`select 1 from deliveries where queued_at is not null`;
    await expect.poll(queued).toHaveLength(1);
    await owner.visitor.submit(partner.path, `${partner.path}/pause`);
    expect((await operator.visitor.get(place)).html).toContain('and by a member');
    expect((await press(`${atEndpoint}/resume`)).location).toBe(`${place}?notice=paused_by_member`);
    await owner.visitor.submit(partner.path, `${partner.path}/resume`);
    await partner.receiver.waitFor(before + 1, 60_000);
    const by = { kind: 'operator', id: operator.memberId };
    const line = { actor: by, subject: partner.endpoint.id };
    expect((await linesOf('webhook.paused'))[0]).toEqual(line);
    expect((await linesOf('webhook.resumed'))[0]).toEqual(line);
  });

  test('that no path names right is the same page, and a deleted endpoint stays as it is', async () => {
    const { json: gone } = await partner.ask('POST', '/webhooks', { url: 'https://127.0.0.1:1025/gone' });
    await partner.ask('DELETE', `/webhooks/${gone.id}`);
    const deleted = await press(`${place}/endpoints/${gone.id}/pause`, sure);
    expect([deleted.status, deleted.html]).toEqual([409, expect.stringContaining('is deleted')]);
    const other = await harness.key({ org: 'Other' });
    const elsewhere = `/operator/organisations/${other.organisationId}/endpoints/${partner.endpoint.id}`;
    for (const path of [
      ...[`${place}/endpoints/${randomUUID()}`, `${place}/endpoints/x`, elsewhere],
      ...[randomUUID(), 'x', operatorsId].map((id) => `/operator/organisations/${id}`),
    ])
      expect([path, (await press(`${path}/pause`, sure)).status]).toEqual([path, 404]);
    expect((await operator.visitor.get(`${place}?after=x`)).status).toBe(200);
    const [{ paused } = { paused: true }] = await harness.rows<{ paused: boolean }>`
      select bool_or(paused) or exists (select from webhook_endpoints where paused_at is not null) as paused from organisations`;
    expect(paused).toBe(false);
  });
});

describe('another role', () => {
  test('is refused and logged, and so is an operator at the pages of an organisation', async () => {
    const from = logged.length;
    for (const path of ['/operator', place])
      expect([path, (await owner.visitor.get(path)).status]).toEqual([path, 403]);
    expect((await owner.visitor.submit('/account', `${place}/pause`, sure)).status).toBe(403);
    for (const path of ['/verifications', '/review', '/keys', '/log', partner.path])
      expect([path, (await operator.visitor.get(path)).status]).toEqual([path, 403]);
    const refusals = logged.slice(from).match(/"refused":"forbidden"/g) ?? [];
    expect(refusals).toHaveLength(8);
    expect(logged.slice(from)).toContain(operator.memberId);
  });

  test('has no use of a form: a stale token and one of somebody else change nothing', async () => {
    const token = (await owner.visitor.get('/account')).token ?? '';
    for (const sent of [null, token, 'made up'])
      expect((await operator.visitor.post(`${place}/pause`, sure, { token: sent })).status).toBe(403);
    const used = (await operator.visitor.get(place)).token ?? '';
    await operator.visitor.post(`${place}/resume`, {}, { token: used });
    expect((await operator.visitor.post(`${place}/pause`, sure, { token: used })).status).toBe(409);
    expect((await operator.visitor.get(place)).html).toContain('new verifications are accepted');
  });
});

test('the ledger agrees with the rows of operators, and names an operator whom nobody invited', async () => {
  await inviteOperator(harness.store, 'waits@service.example');
  const faults = async () => {
    const found: unknown[] = [];
    await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => found.push(fault));
    return found;
  };
  expect(await faults()).toEqual([]);
  const id = randomUUID();
  await harness.rows`
    insert into members (id, org_id, email, role) values (${id}, ${operatorsId}, 'thief@example.com', 'operator')`;
  expect(JSON.stringify(await faults())).toContain(id);
});
