import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyWebhook } from '#docs/guide/verify-webhook.mjs';
import { newFolder } from '#test/integration/standalone/support.ts';
import { call } from '#test/support/harness.ts';
import { goodPassword, newVisitor } from '#test/support/people/console.ts';
import { createsBecome } from '#test/support/people/creates.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { blocks, type Deployment, executed, missing, startDeployment } from './deployment.ts';

/** Runs the commands of docs/operations.md and of the pages beside it on real servers, in the order in which an operator needs them. */
const named = blocks.flatMap(({ name }) => (name === undefined ? [] : [name]));

test('every block of commands has a name, by which it is executed here or by the test of containers', () => {
  expect(new Set(named).size).toBe(named.length);
  const silent = blocks.filter(({ name, containers }) => (name ?? containers) === undefined);
  expect(silent.map(({ code }) => code)).toEqual([]);
});

let deployment: Deployment;
let env: NodeJS.ProcessEnv;
let url: string;
const run = (...block: Parameters<Deployment['run']>) => deployment.run(...block);
const startAll = (...own: Parameters<Deployment['startAll']>) => deployment.startAll(...own);
const stopAll = () => deployment.stopAll();
const query = (statement: string) => deployment.query(statement);
beforeAll(async () => {
  if (missing !== undefined) return;
  deployment = await startDeployment();
  ({ env, url } = deployment);
}, 90_000);
afterAll(() => deployment?.stop());

let key: string;
let keyId: string;
const ask = (method: 'GET' | 'POST', path: string, body?: object, headers = {}) =>
  call({ url }, method, path, { key, body, headers });
const create = async (body: object = {}) => (await ask('POST', '/v1/verifications', body)).json;
const held = { sandbox: { auto_complete: false } };
const eventsOf = (receiver: Awaited<ReturnType<typeof startReceiver>>, verificationId: string) =>
  receiver.received.filter(({ body }) => JSON.parse(body.toString()).data.verification_id === verificationId);

async function register(...replies: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...replies);
  const { json: endpoint } = await ask('POST', '/v1/webhooks', { url: receiver.url });
  return { receiver, endpoint };
}
type Registered = Awaited<ReturnType<typeof register>>;
async function deregister({ receiver, endpoint }: Registered) {
  await call({ url }, 'DELETE', `/v1/webhooks/${endpoint.id}`, { key });
  await receiver.stop();
}

const eventually = { timeout: 25_000, interval: 100 };

/** The event of the verification must have arrived once. Its signature must match the secret that was shown at registration. */
async function expectSigned({ receiver, endpoint }: Registered, verificationId: string): Promise<void> {
  await vi.waitFor(() => expect(eventsOf(receiver, verificationId)).toHaveLength(1), eventually);
  const [event] = eventsOf(receiver, verificationId);
  const checked = await verifyWebhook(event?.body ?? '', event?.headers ?? {}, endpoint.secret);
  expect(checked.data.verification_id).toBe(verificationId);
}

test('deploy: a new database becomes a service that answers and delivers', async ({ skip }) => {
  skip(missing !== undefined, missing);
  env.SECRETS_KEY = (await run('make-key')).trim();
  expect(Buffer.from(env.SECRETS_KEY, 'base64')).toHaveLength(32);
  // First as an installation with one URL, which then gets the roles.
  const oneUrl = { OWNER_DATABASE_URL: '', DATABASE_URL: `${env.SUPERUSER_URL}/verification` };
  expect(await run('migrate', oneUrl)).toContain('Migrated: 0001-schema');
  await run('roles');
  expect(await run('migrate')).toContain('The schema is up to date.');
  expect(await run('dead-rows')).toMatch(/deliveries\s*\|/);
  expect(await run('release-queues')).toMatch(/UPDATE 0/);
  await startAll();
  expect(await run('ready')).toContain('"ready"');
  const made = JSON.parse(await run('first-key'));
  key = made.key;
  keyId = made.id;

  const registered = await register();
  const { id } = await create();
  await expectSigned(registered, id);
  await deregister(registered);
}, 90_000);

test('back up, lose everything, restore: what the dump holds is as it was, and what it does not hold has left nothing running', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  // The receiver delays the retry, so that the dump is taken while the delivery is open.
  const later = { 'retry-after': '15' };
  const registered = await register({ status: 500, headers: later }, { status: 200 });
  const { receiver } = registered;
  const completed = await create({ reference: 'completed before the dump' });
  await receiver.waitFor(1);
  const waiting = "select 1 from deliveries where status = 'retrying'";
  await vi.waitFor(async () => expect(await query(waiting)).toHaveLength(1), eventually);
  const pending = await create(held);
  await run('back-up');

  await receiver.waitFor(2, 60_000);
  const lost = await create(held);
  await stopAll();
  await deployment.dropDatabase();
  await run('restore');
  // The dump now seems older, so its open delivery is overdue.
  await query("update deliveries set next_attempt_at = now() - interval '1 hour' where status = 'retrying'");
  const compared = await run('compare');
  expect(compared).toContain('deliveries overdue: 1 (started again)');
  expect(compared).toContain(`\n  verification ${lost.id} is completed or not in the database\nworkflows`);
  expect(compared).toContain('not in the database: 1 (ended)\n');
  expect(compared).toContain('rows that differ from the ledger: 0');
  expect(compared).toContain('ledger chains that do not hold: 0');
  await startAll();

  expect((await ask('GET', `/v1/verifications/${completed.id}`)).json).toEqual(completed);
  expect((await ask('GET', `/v1/verifications/${lost.id}`)).status).toBe(404);
  await receiver.waitFor(3);
  const sent = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  expect(new Set(sent).size).toBe(1);
  expect((await ask('POST', `/v1/verifications/${pending.id}/complete`)).status).toBe(200);
  await vi.waitFor(() => expect(eventsOf(receiver, pending.id)).toHaveLength(1), eventually);
  expect(await run('compare')).toContain('deliveries overdue: 0');
  await deregister(registered);
}, 150_000);

test('the ends of the ledger are signed, and checked by inspect and by openssl', async ({ skip }) => {
  skip(missing !== undefined, missing);
  await run('sign-ledger');
  const signed = () => readdirSync(env.LEDGER_DIR ?? '').find((name) => name.endsWith('.sig'));
  const file = await vi.waitFor(() => signed() ?? expect.unreachable('nothing is signed'), eventually);
  expect(await run('check-statement', { DAY: file.replace('.sig', '') })).toContain('Verified Successfully');
  expect(await run('compare')).toContain('ledger chains that are not as signed: 0');

  const PUBLIC_KEY = readdirSync(env.LEDGER_DIR ?? '').find((name) => name.endsWith('.pem')) ?? '';
  const own = { VERIFICATION_ID: (await create()).id, PUBLIC_KEY: join(env.LEDGER_DIR ?? '', PUBLIC_KEY) };
  await run('dossier', own);
  expect(await run('verify-dossier', own)).toContain('VALID: all ');
});

test('a person: what is held is exported, the link is replaced, all is erased, and each is in the history', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const { id } = await create({ ...held, reference: 'of a person' });
  const own = { VERIFICATION_ID: id };
  await run('export', own);
  const { json: before } = await ask('GET', `/v1/verifications/${id}`);
  const link = (await run('link', own)).trim();
  expect(link).not.toBe(before.verify_url);
  expect((await ask('GET', `/v1/verifications/${id}`)).json.verify_url).toBe(link);
  await run('erase', own);
  expect((await ask('GET', `/v1/verifications/${id}`)).json.reference).toBe(null);
  const lines = await query(`select type from ledger where subject_id = '${id}' order by sequence`);
  expect(lines.map(({ type }) => type)).toEqual([
    ...['verification.created', 'verification.exported', 'verification.link_renewed'],
    ...['verification.cancelled', 'verification.erased'],
  ]);
});

test('the end of a relationship is reported, by id and by a file, and a relationship that goes on too', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const ids = [(await create()).id, (await create()).id, (await create({ reference: 'klant 7' })).id];
  await query(`update verifications set environment = 'live' where id in ('${ids.join("', '")}')`);
  const today = new Date().toISOString().slice(0, 10);
  const ENDS = join(env.BACKUPS ?? '', 'ends.csv');
  writeFileSync(ENDS, `reference,date\nklant 7,${today}\n`);
  const own = { ORGANISATION: 'Acme', LAST_DAY: today, ENDS };
  expect(await run('relation', { ...own, VERIFICATION_ID: ids[0] })).toContain(`${ids[0]}  ended ${today}`);
  expect(await run('continues', { ...own, VERIFICATION_ID: ids[1] })).toContain(`${ids[1]}  continues`);
  expect(await run('relations', own)).toContain(`${ids[2]}  ended ${today}`);
  await query(`update verifications set environment = 'sandbox' where id in ('${ids.join("', '")}')`);
}, 60_000);

test('renew SECRETS_KEY: secrets, links and stored answers go on working from the first step to the last', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const before = await register();
  const repeated = { 'idempotency-key': randomUUID() };
  const first = await ask('POST', '/v1/verifications', held, repeated);
  const link = new URL(first.json.verify_url).pathname;
  const answersAgain = async () => {
    const again = await ask('POST', '/v1/verifications', held, repeated);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await ask('GET', `/v1/verifications/${first.json.id}`)).status).toBe(200);
  };
  /** Old values can still be opened. Values that the API seals can be opened by the worker, and those of the worker by the API. */
  const allWorks = async () => {
    await answersAgain();
    expect((await call({ url }, 'GET', link)).status).toBe(200);
    const fresh = await register();
    const { id } = await ask('POST', '/v1/verifications', {}, { 'idempotency-key': randomUUID() }).then(
      ({ json }) => json,
    );
    for (const endpoint of [before, fresh]) await expectSigned(endpoint, id);
    await deregister(fresh);
  };
  await allWorks();

  const old = env.SECRETS_KEY ?? '';
  const renewed = Buffer.alloc(32, 8).toString('base64');
  const known = { SECRETS_KEY: `${old},${renewed}` };
  const inUse = { SECRETS_KEY: `${renewed},${old}` };
  await stopAll();
  // In the middle of each step some processes already use the new setting and others do not.
  await startAll({ api: known });
  await allWorks();
  await stopAll();
  await startAll({ api: inUse, worker: known });
  await allWorks();
  expect(await run('keys-in-use', inUse, [1])).toContain('is not enough yet');
  expect(await run('reseal', inUse, [1])).toMatch(/sealed again: [1-9]/);
  await allWorks();
  expect((await ask('POST', `/v1/verifications/${first.json.id}/complete`)).status).toBe(200);
  await expectSigned(before, first.json.id);
  await stopAll();

  await query('create table ends as select id, link_expires_at as at from verifications');
  await query("update verifications set link_expires_at = now() - interval '1 second'");
  expect(await run('reseal', inUse)).toContain('The newest key is enough.');
  // A row that was edited by hand would be named by the inspection.
  await query('update verifications set link_expires_at = at from ends where ends.id = verifications.id');
  await query('drop table ends');
  env.SECRETS_KEY = renewed;
  expect(await run('keys-in-use')).not.toContain('NOT in SECRETS_KEY');
  await startAll();
  await answersAgain();
  const { id } = await create();
  await expectSigned(before, id);
  await deregister(before);
}, 120_000);

test('a stuck workflow is found, begun anew, and taken up again after somebody has ended it; no attempt is sent twice', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const registered = await register({ status: 503 }, { status: 200 });
  const { receiver, endpoint } = registered;
  const { id } = await create();
  await receiver.waitFor(1);
  const open = async () => {
    const { json } = await ask('GET', `/v1/webhooks/${endpoint.id}/deliveries?status=retrying`);
    expect(json.data).toHaveLength(1);
    return json.data[0].id as string;
  };
  const own = { DELIVERY_ID: await vi.waitFor(open, eventually) };
  const found = () => run('find', own);
  await vi.waitFor(
    async () => expect((await found()).split(own.DELIVERY_ID).length).toBeGreaterThan(2),
    eventually,
  );

  await run('reset', own);
  await run('terminate', own);
  expect(receiver.received).toHaveLength(1);
  await query(
    `update deliveries set next_attempt_at = now() - interval '3 minutes' where id = '${own.DELIVERY_ID}'`,
  );
  expect(await run('repair', {}, [0])).toContain('deliveries overdue: 1 (started again)');
  await vi.waitFor(() => expect(eventsOf(receiver, id)).toHaveLength(2), eventually);
  const delivered = `select 1 from deliveries where id = '${own.DELIVERY_ID}' and status = 'delivered'`;
  await vi.waitFor(async () => expect(await query(delivered)).toHaveLength(1), eventually);
  await deregister(registered);
}, 120_000);

test('a receiver that fails is seen in the tables and in the attempt log, and what it missed is sent again', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const registered = await register({ status: 500 }, { status: 503 }, { status: 200 });
  const { receiver, endpoint } = registered;
  const { id } = await create();
  await receiver.waitFor(2);
  const own = { ENDPOINT_ID: endpoint.id, KEY: key, DELIVERY_ID: '' };
  await vi.waitFor(async () => expect(await run('failing')).toContain(endpoint.id), eventually);
  expect(await run('backlog')).toMatch(/retrying\s*\|\s*1\s/);
  const attempts = JSON.parse(await run('attempts', own)).data[0];
  own.DELIVERY_ID = attempts.id;
  expect(
    attempts.attempts.map(({ response_status }: { response_status: number }) => response_status),
  ).toEqual(expect.arrayContaining([500, 503]));
  expect(await run('answers', own)).toMatch(/attempt 1 .*500\n {2}\{"received":true\}\n/);
  expect(await run('receiver-certificate', { RECEIVER_URL: receiver.url })).toContain('trusted until');
  expect(
    await run('receiver-certificate', { RECEIVER_URL: receiver.url, NODE_EXTRA_CA_CERTS: '' }, [1]),
  ).toMatch(/refused: [A-Z_]+/);
  await run('resend', own);
  await vi.waitFor(() => expect(eventsOf(receiver, id)).toHaveLength(3), eventually);
  await deregister(registered);
}, 120_000);

test('the operator sees what is open, pauses an endpoint, and looks at a new primary and at its disk', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  expect(await run('operators')).toMatch(/^Acme +\S{36} +active/m);
  const registered = await register();
  const printed = await run('pause-endpoint', { ENDPOINT_ID: registered.endpoint.id });
  expect(printed).toContain('paused. Its deliveries wait');
  expect(printed).toContain('resumed. What waits is sent');
  const compared = await run('after-failover');
  expect(compared).toMatch(/^ *f$/m);
  expect(compared).toContain('deliveries overdue: 0');
  expect(await run('sizes')).toMatch(/ledger\s*\|/);
  expect(await run('replication')).toMatch(/commits_that_wait/);
  await run('freeze');
  const ages = [...(await run('held-back')).matchAll(/^ *\S+ +\| +(\d+) \| +\d+$/gm)].map(([, age]) =>
    Number(age),
  );
  expect(ages.length).toBeGreaterThan(2);
  expect(Math.max(...ages)).toBeLessThan(10_000);
  await deregister(registered);
}, 60_000);

test('a link is made with which somebody becomes a member', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const link = (await run('console-invite', { ORGANISATION: 'Acme', EMAIL: 'owner@acme.example' })).trim();
  expect(link).toMatch(/\/link\/[\w-]{43}$/);
  const page = await fetch(
    `http://127.0.0.1:${env.CONSOLE_PORT}${new URL(link.split('\n').at(-1) ?? '').pathname}`,
  );
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('owner@acme.example')]);
}, 60_000);

test('an only owner who lost everything gets a reset link, and the ledger says that an operator made it', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const owner = { ORGANISATION: 'Acme', EMAIL: 'lost@acme.example' };
  const pathOf = (printed: string) => new URL(printed.trim().split('\n').at(-1) ?? '').pathname;
  const visitor = newVisitor(`http://127.0.0.1:${env.CONSOLE_PORT}`);
  for (const block of ['console-invite', 'console-reset']) {
    const path = pathOf(await run(block, owner));
    expect((await visitor.submit(path, path, { password: goodPassword })).status).toBe(303);
  }
  const lines = await query(
    "select type, data->'actor'->>'kind' as by from ledger where type like 'member.reset%' order by created_at",
  );
  expect(lines).toEqual([
    { type: 'member.reset_link_made', by: 'operator' },
    { type: 'member.reset', by: 'member' },
  ]);
}, 60_000);

test('somebody becomes an operator, comes in again by a reset link, and is removed', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const EMAIL = 'anna@service.example';
  const visitor = newVisitor(`http://127.0.0.1:${env.CONSOLE_PORT}`);
  for (const block of ['console-operator', 'console-operator-reset']) {
    const printed = await run(block, { EMAIL });
    const path = new URL(printed.trim().split('\n').at(-1) ?? '').pathname;
    expect((await visitor.submit(path, path, { password: goodPassword })).status).toBe(303);
    expect((await visitor.get('/operator')).location).toBe('/second-factor?next=%2Foperator');
  }
  expect(await run('console-operator-remove', { EMAIL })).toContain('no operator any more');
  expect((await visitor.get('/operator')).location).toBe('/sign-in?next=%2Foperator');
}, 60_000);

test('the settings of an organisation are shown and changed', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const printed = await run('settings', { ORGANISATION: 'Acme', CONTACT: 'help@acme.example' });
  expect(printed).toMatch(/^decisions +people/m);
  expect(printed).toContain('contact: (not set) -> help@acme.example');
  expect(printed).toContain('offers_other_way: false -> true');
}, 60_000);

test('an organisation that is paused can create nothing within five seconds, reads on, and creates again after it', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const { id } = await create(held);
  const own = { ORGANISATION: 'Acme' };
  expect(await run('pause-organisation', own)).toBe('paused: false -> true\n');
  await createsBecome([{ url }], { key }, 'organisation_paused');
  const refused = await ask('POST', '/v1/verifications', {});
  expect([refused.status, refused.json.error.code]).toEqual([403, 'organisation_paused']);
  expect((await ask('GET', `/v1/verifications/${id}`)).status).toBe(200);

  expect(await run('resume-organisation', own)).toBe('paused: true -> false\n');
  await createsBecome([{ url }], { key }, 'accepted');
}, 60_000);

test('an organisation gets its colour, its way back and its logo', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const LOGO = join(newFolder(), 'logo.png');
  await sharp({ create: { width: 120, height: 40, channels: 3, background: '#0a5c8a' } }).toFile(LOGO);
  const printed = await run('look', { ORGANISATION: 'Acme', LOGO });
  expect(printed).toContain('display_name: (not set) -> The Shop');
  expect(printed).toContain('colour: (not set) -> #0a5c8a');
  expect(printed).toContain('return_url: (not set) -> https://shop.example/account');
  expect(printed).toContain('logo: changed');
}, 60_000);

test('a flood: the sender is found, and revoking the key stops it', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const asked = async () =>
    expect(await run('who-asks')).toMatch(new RegExp(`Acme\\s*\\|\\s*${keyId}\\s*\\|\\s*201`));
  await vi.waitFor(asked, eventually);
  await run('revoke', { KEY_ID: keyId });
  await vi.waitFor(async () => expect((await ask('GET', '/v1/verifications')).status).toBe(401), {
    timeout: 5_000,
  });
  await stopAll();
}, 60_000);

test('every command on the page was executed', ({ skip }) => {
  skip(missing !== undefined, missing);
  expect(named.filter((name) => !executed.has(name))).toEqual([]);
});
