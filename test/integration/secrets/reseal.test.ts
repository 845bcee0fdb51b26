import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { createSecrets, newUuid } from '#platform/crypto/crypto.ts';
import { keysInUse, newestIsEnough } from '#services/secrets/keys-in-use.ts';
import { openWebhookSecret } from '#services/webhooks/secret.ts';
import { replaceSealed, type SealedColumn, sealedColumns } from '#store/keeping/seals.ts';
import { untilAsleep } from '#test/support/asleep.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';
import { fillLedger } from '#test/support/rows/fill.ts';

/** The harness seals with the older key. */
const older = Buffer.alloc(32, 7);
const newer = Buffer.alloc(32, 8);
const idOf = (key: Buffer) => createSecrets([key]).newestKeyId;

const harness = await startHarness();
const partner = await startPartner(harness);
const { key } = partner;
// Nobody completes it, so exactly its own workflow stays open.
const body = { reference: 'before the rotation', sandbox: { auto_complete: false } };
const idempotent = { key, body, headers: { 'idempotency-key': 'rotation' } };
const created = await call(harness, 'POST', '/v1/verifications', idempotent);
// The commands below hold up this process, and the worker with it.
await untilAsleep(harness, created.json.id);
const picture = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x80]);
const sealedPicture = harness.ctx.secrets.seal('evidence', `evidence/${created.json.id}/selfie`, picture);
await harness.rows`
  insert into evidence (verification_id, kind, org_id, environment, picture)
  select id, 'selfie', org_id, environment, ${sealedPicture} from verifications
  where id = ${created.json.id}`;
const sender = '{"address":"192.0.2.1","user_agent":"A browser"}';
const commandBinding = `${created.json.id}/req_1`;
const sealedSender = harness.ctx.secrets.seal('command-personal', commandBinding, sender);
await harness.rows`
  insert into commands (verification_id, request_id, name, data, personal)
  values (${created.json.id}, 'req_1', 'start', '{}', ${sealedSender})`;
const deliveryId = newUuid();
const answer = harness.ctx.secrets.seal('receiver-answer', `${deliveryId}/1`, 'an answer');
const heads = harness.ctx.secrets.seal('attempt-heads', `${deliveryId}/1`, '{}');
await harness.rows`
  with event as (
    insert into events (id, org_id, environment, type)
    values ('evt_1', ${partner.organisationId}, 'sandbox', 'verification.completed') returning id
  ), delivery as (
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed)
    select ${deliveryId}, ${partner.organisationId}, 'sandbox', id, ${partner.endpoint.id}, 'delivered', 6 from event
    returning id
  )
  insert into delivery_attempts (delivery_id, number, answer, heads) select id, 1, ${answer}, ${heads} from delivery`;
const contractBinding = `eid-contract/${partner.organisationId}`;
const sealedContract = harness.ctx.secrets.seal('eid-contract', contractBinding, '{"a":"contract"}');
await harness.rows`
  insert into eid_contracts (org_id, value, certificate_ends_at, simulated, issuers)
  values (${partner.organisationId}, ${sealedContract}, now(), false, '[]')`;
// The version before stored the SHA-256 of a request, which no key protects.
await harness.rows`
  insert into requests (id, org_id, environment, operation, fingerprint, status)
  values (${newUuid()}, ${partner.organisationId}, 'sandbox', 'create_verification', ${Buffer.alloc(32, 9)}, 'answered')`;
const { secret } = (await partner.ask('POST', `${partner.path}/rotate-secret`, { overlap_hours: 1 })).json;

const command = join(import.meta.dirname, '../../../worker/commands/secrets.ts');
function run(keys: Buffer[], ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: harness.databaseUrl,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      SECRETS_KEY: keys.map((each) => each.toString('base64')).join(','),
    },
  });
  for (const each of keys) expect(stdout + stderr).not.toContain(each.toString('base64'));
  return { status, stdout };
}
const lineOf = (stdout: string, keyOfLine: Buffer) =>
  stdout.split('\n').find((line) => line.startsWith(`key ${idOf(keyOfLine)} `));

test('the values that a key still protects are counted by kind, and a missing key is named', () => {
  const { status, stdout } = run([newer, older]);
  expect(status).toBe(1);
  expect(lineOf(stdout, newer)).toMatch(/\(newest\): webhook secrets 0, stored answers 0, .*, links 0$/);
  expect(lineOf(stdout, older)).toMatch(
    /\(older\): webhook secrets 2, stored answers 1, data keys 1, personal ledger values 0, pictures 1, fingerprints of requests 1, receivers' answers 1, headers of attempts 1, waiting consents 1, second factors 0, bank contracts 1, open workflows \d+, links 1, the last until 20/,
  );
  expect(stdout.match(/^key /gm)).toHaveLength(2);
  expect(lineOf(run([newer]).stdout, older)).toContain('(NOT in SECRETS_KEY): webhook secrets 2');
});

test('values that a missing key has sealed are left as they are', async () => {
  const before = await secretsOfEndpoint();
  expect(run([newer], '--reseal').status).toBe(1);
  expect(await secretsOfEndpoint()).toEqual(before);
});

test('--reseal moves everything to the newest key, except working links, which end by themselves', async () => {
  const resealed = run([newer, older], '--reseal');
  expect(resealed.status).toBe(1);
  expect(resealed.stdout).toContain('sealed again: 10; expired links, issued again: 0');
  expect(resealed.stdout).not.toContain('could not be opened');
  expect(lineOf(resealed.stdout, newer)).toContain(
    "webhook secrets 2, stored answers 1, data keys 1, personal ledger values 0, pictures 1, fingerprints of requests 1, receivers' answers 1, headers of attempts 1",
  );
  expect(lineOf(resealed.stdout, older)).toContain('webhook secrets 0, stored answers 0');
  expect(lineOf(resealed.stdout, older)).toContain('links 1, the last until');

  await harness.rows`update verifications set link_expires_at = now() - interval '1 second'`;
  const afterwards = run([newer, older], '--reseal');
  expect(afterwards.stdout).toContain('sealed again: 0; expired links, issued again: 1');
  expect(afterwards.status).toBe(0);
  expect(run([newer]).status).toBe(0);
});

test('the newest key alone opens everything again', async () => {
  const secrets = createSecrets([newer]);
  const { id } = partner.endpoint;
  const [current, previous] = await secretsOfEndpoint();
  expect(openWebhookSecret({ secrets }, id, current as Buffer)).toBe(secret);
  expect(openWebhookSecret({ secrets }, id, previous as Buffer)).toBe(partner.endpoint.secret);
  const rows = await harness.rows<{ id: string; answer: Buffer }>`
    select id, answer from requests where idempotency_key = 'rotation'`;
  const [{ id: requestId, answer } = { id: '', answer: Buffer.alloc(0) }] = rows;
  expect(secrets.open('stored-answer', `answer/${requestId}`, answer)).toBe(created.text);
  const values = await harness.rows<{ value: Buffer }>`
    select value from ledger_personal where subject_id = ${created.json.id} and sequence = 1`;
  const dataKey = await dataKeyOf(harness.rows, secrets, created.json.id);
  const personal = dataKey.open(`${created.json.id}/1`, values[0]?.value ?? Buffer.alloc(0));
  expect(personal.toString()).toContain(body.reference);
  const [evidence] = await harness.rows<{ picture: Buffer }>`
    select picture from evidence where verification_id = ${created.json.id}`;
  const resealed = evidence?.picture ?? Buffer.alloc(0);
  expect(secrets.openBytes('evidence', `evidence/${created.json.id}/selfie`, resealed)).toEqual(picture);
  const [command] = await harness.rows<{ personal: Buffer }>`
    select personal from commands where verification_id = ${created.json.id}`;
  const [attempt] = await harness.rows<{ answer: Buffer; heads: Buffer }>`
    select answer, heads from delivery_attempts where delivery_id = ${deliveryId}`;
  expect(secrets.open('receiver-answer', `${deliveryId}/1`, attempt?.answer ?? Buffer.alloc(0))).toBe(
    'an answer',
  );
  const resealedHeads = attempt?.heads ?? Buffer.alloc(0);
  expect(secrets.open('attempt-heads', `${deliveryId}/1`, resealedHeads)).toBe('{}');
  const [contract] = await harness.rows<{ value: Buffer }>`select value from eid_contracts`;
  expect(secrets.open('eid-contract', contractBinding, contract?.value ?? Buffer.alloc(0))).toBe(
    '{"a":"contract"}',
  );
  expect(secrets.open('command-personal', commandBinding, command?.personal ?? Buffer.alloc(0))).toBe(sender);
});

test('a value that was changed meanwhile keeps the change', async () => {
  const { db } = harness.store;
  const [column] = sealedColumns['webhook-secret'];
  const [current] = await secretsOfEndpoint();
  const stale = { key: [partner.endpoint.id], value: Buffer.from('what it was') };
  const late = [{ row: stale, value: Buffer.from('late') }];
  expect(await replaceSealed(db, column as SealedColumn, late)).toBe(0);
  expect((await secretsOfEndpoint())[0]).toEqual(current);
});

test('a value that does not open is counted and left alone', async () => {
  const moved = createSecrets([older]).seal('webhook-secret', 'webhook/of another endpoint', 'whsec_moved');
  await harness.rows`update webhook_endpoints set secret = ${moved}`;
  const { status, stdout } = run([newer, older], '--reseal');
  expect(status).toBe(1);
  expect(stdout).toContain('could not be opened: 1');
  expect((await secretsOfEndpoint())[0]).toEqual(moved);
});

describe('of a long ledger', () => {
  const subjects = 5_500;
  const ledgerValues = (keys: Buffer[], keyOfLine: Buffer) =>
    /personal ledger values (\d+)/.exec(lineOf(run(keys).stdout, keyOfLine) ?? '')?.[1];

  test('an interrupted --reseal continues after its place, and then nothing is left', async () => {
    const ids = await fillLedger(harness.ctx, { orgId: partner.organisationId, subjects, linesEach: 1 });
    const [after = '', left] = [ids[4_999], subjects - 5_000];
    const resealed = run([newer, older], '--reseal', '--from', `ledger_personal.value/${after}/1`);
    expect(resealed.stdout).toContain(`sealed again: ${left};`);
    expect(ledgerValues([newer, older], older)).toBe('5000');
    expect(run([newer, older], '--reseal').stdout).toContain('sealed again: 5000;');
    expect(ledgerValues([newer, older], older)).toBe('0');
  });

  test.each([
    'ledger',
    'ledger_personal.value',
    'ledger_personal.value/01990000-0000-7000-8000-000000000000',
    'requests.answer/1',
  ])('%s is no place', (place) =>
    expect(run([newer], '--reseal', '--from', place)).toEqual({ status: 64, stdout: '' }),
  );
});

test('open workflows are counted by the key that they began with, and still need it', async () => {
  const { key } = await harness.key();
  const { store, temporal } = harness.ctx;
  const secrets = createSecrets([newer, older]);
  const uses = () => keysInUse({ store, secrets, temporal });
  const openRuns = async () => (await uses()).map(({ runs }) => runs);
  const ofTheFirst = 1;
  await expect.poll(openRuns).toEqual([0, ofTheFirst]);
  const unfinished = { sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body: unfinished });
  await expect.poll(openRuns).toEqual([0, ofTheFirst + 1]);
  const sealed = {
    ...{ 'webhook-secret': 0, 'stored-answer': 0, 'request-fingerprint': 0, evidence: 0 },
    ...{ 'data-key': 0, 'ledger-personal': 0, 'command-personal': 0, 'receiver-answer': 0, 'totp-secret': 0 },
    'attempt-heads': 0,
    'eid-contract': 0,
  };
  const nothingElse = (await uses()).map((use) => ({ ...use, sealed, links: undefined }));
  expect(newestIsEnough(nothingElse)).toBe(false);
  expect(newestIsEnough(nothingElse.map((use) => ({ ...use, runs: 0 })))).toBe(true);
  expect((await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key })).status).toBe(200);
  await expect.poll(openRuns).toEqual([0, ofTheFirst]);
});

test('every column that holds bytes is sealed and known here, or is no secret', async () => {
  const rows = await harness.rows<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`;
  const open = ['api_keys.hash', 'events.body', 'organisation_logos.picture'];
  const publicHalves = ['member_passkeys.credential_id', 'member_passkeys.public_key'];
  const digests = [
    ...['evidence.sha256', 'organisation_logos.sha256'],
    ...['ledger.hash', 'ledger.previous_hash', 'income_files.sha256', 'income_hashes.sha256'],
  ];
  // The key of the person seals them, and that key is sealed anew.
  const byDataKey = [
    ...['income_checks.judgement', 'income_files.file', 'income_files.pages'],
    'review_decisions.note',
  ];
  const ofTokens = [
    'member_links.token_hash',
    'member_recovery_codes.code_hash',
    'member_sessions.token_hash',
  ];
  const random = ['used_forms.nonce'];
  const ofPersons = ['eid_transactions.code_hash', 'eid_transactions.redirect'];
  const sealed = Object.values(sealedColumns).flatMap((columns) =>
    columns.map(({ table, column }) => `${table}.${column}`),
  );
  expect(rows.map(({ column }) => column).sort()).toEqual(
    [
      ...open,
      ...publicHalves,
      ...digests,
      ...ofTokens,
      ...random,
      ...ofPersons,
      ...byDataKey,
      ...sealed,
    ].sort(),
  );
});

async function secretsOfEndpoint(): Promise<Buffer[]> {
  const rows = await harness.rows<{ secret: Buffer; previous_secret: Buffer }>`
    select secret, previous_secret from webhook_endpoints`;
  return rows.flatMap(({ secret, previous_secret }) => [secret, previous_secret]);
}
