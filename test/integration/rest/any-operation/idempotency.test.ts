import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness({ worker: false });

/** The commands that honour Idempotency-Key, except the creates, which have their own tests. */
type Command = {
  path(partner: Partner): string;
  /** Another valid request. */
  other(partner: Partner): Promise<{ path: string; body?: object }>;
  /** The number of effects that the command has had. */
  effects(partner: Partner): Promise<number>;
  /** The path for a key of live. By default it is the path for a key of sandbox. */
  inLive?(live: Partner): Promise<string>;
  /** True if a second request has no effect of its own, also without the header. */
  once?: true;
};

const count = async (rows: Promise<unknown[]>) => (await rows).length;
const deliveriesBy = (trigger: string) => (partner: Partner) =>
  count(
    harness.rows`select 1 from deliveries where endpoint_id = ${partner.endpoint.id} and trigger = ${trigger}`,
  );
const anotherEndpoint = async ({ ask }: Partner) =>
  (await ask('POST', '/webhooks', { url: 'https://hooks.example.com/other' })).json.id;

const methodOf = { verifications: 'document_only', 'income-checks': 'income' };
type Cases = keyof typeof methodOf;

/** A command on an open verification or income check, whose effects are lines of the ledger. */
const onOpen = (cases: Cases, verb: string, line: string): Command => ({
  path: ({ endpoint }) => `/${cases}/${open[cases].get(endpoint.id)}/${verb}`,
  other: async (partner) => ({ path: `/${cases}/${await insertOpen(cases, partner)}/${verb}` }),
  effects: ({ endpoint }) =>
    count(
      harness.rows`
        select 1 from ledger where subject_id = ${open[cases].get(endpoint.id)} and type = ${line}`,
    ),
  inLive: async (live) => {
    await harness.rows`update organisations set erase_by_key = true where id = ${live.organisationId}`;
    return `/${cases}/${await insertOpen(cases, live, 'live')}/${verb}`;
  },
  ...(verb !== 'link' && { once: true }),
});

const commands: Record<string, Command> = {
  testWebhook: {
    path: ({ path }) => `${path}/test`,
    other: async (partner) => ({ path: `/webhooks/${await anotherEndpoint(partner)}/test` }),
    effects: deliveriesBy('test'),
  },
  resendWebhookDelivery: {
    path: ({ path, endpoint }) => `${path}/deliveries/${firstDelivery.get(endpoint.id)}/resend`,
    other: async ({ path, ask, deliveries }) => {
      await ask('POST', `${path}/deliveries/${(await deliveries()).at(-1).id}/resend`);
      return { path: `${path}/deliveries/${(await deliveries())[0].id}/resend` };
    },
    effects: deliveriesBy('resend'),
  },
  cancelVerification: onOpen('verifications', 'cancel', 'verification.cancelled'),
  renewVerificationLink: onOpen('verifications', 'link', 'verification.link_renewed'),
  eraseVerification: onOpen('verifications', 'erase', 'verification.erased'),
  cancelIncomeCheck: onOpen('income-checks', 'cancel', 'verification.cancelled'),
  renewIncomeCheckLink: onOpen('income-checks', 'link', 'verification.link_renewed'),
  eraseIncomeCheck: onOpen('income-checks', 'erase', 'verification.erased'),
  rotateWebhookSecret: {
    path: ({ path }) => `${path}/rotate-secret`,
    other: async ({ path }) => ({ path: `${path}/rotate-secret`, body: { overlap_hours: 1 } }),
    effects: ({ endpoint }) =>
      count(
        harness.rows`
          select 1 from ledger where subject_id = ${endpoint.id} and type = 'webhook.secret_rotated'`,
      ),
  },
};
const firstDelivery = new Map<string, string>();
const open: Record<Cases, Map<string, string>> = { verifications: new Map(), 'income-checks': new Map() };

async function insertOpen(cases: Cases, { organisationId }: Partner, environment = 'sandbox') {
  const id = newUuid();
  await harness.rows`
    insert into verifications
      (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
    values (${id}, ${organisationId}, ${environment}, 'pending', ${methodOf[cases]}, ${`dos_${id}`},
      ${harness.ctx.secrets.newestKeyId}, now() + interval '1 day')`;
  if (cases === 'income-checks')
    await harness.rows`insert into income_checks (verification_id, org_id) values (${id}, ${organisationId})`;
  return id;
}

/** Creates a partner with a delivery that can be sent again. The delivery is no test event, so that test events can be counted. */
async function startFurnished(options: Parameters<typeof startPartner>[1] = {}) {
  const partner = await startPartner(harness, options);
  const eventId = `evt_${randomUUID()}`;
  const deliveryId = randomUUID();
  await harness.rows`
    insert into events (id, org_id, environment, type, body)
    values (${eventId}, ${partner.organisationId}, 'sandbox', 'verification.completed', '\x7b7d')`;
  await harness.rows`
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed)
    values (${deliveryId}, ${partner.organisationId}, 'sandbox', ${eventId}, ${partner.endpoint.id}, 'delivered', 6)`;
  firstDelivery.set(partner.endpoint.id, deliveryId);
  for (const cases of ['verifications', 'income-checks'] as const)
    open[cases].set(partner.endpoint.id, await insertOpen(cases, partner));
  return partner;
}

test('every operation that honours the header has its tests, here or in a folder of its own', () => {
  const honouring = keyedRoutes.filter(({ idempotent }) => idempotent).map(({ operation }) => operation);
  expect(honouring.sort()).toEqual(
    [...Object.keys(commands), 'createVerification', 'createIncomeCheck'].sort(),
  );
});

describe.each(Object.entries(commands))('%s under an Idempotency-Key', (_, command) => {
  test('gives a repeat the same bytes and has one effect', async () => {
    const partner = await startFurnished();
    const ask = () => partner.ask('POST', command.path(partner), undefined, 'again');
    const [first, second] = [await ask(), await ask()];
    expect(first.status).toBeLessThan(300);
    expect(second.status).toBe(first.status);
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await command.effects(partner)).toBe(1);
  });

  test('without the header has its effect every time', async () => {
    const partner = await startFurnished();
    const answers = [
      await partner.ask('POST', command.path(partner)),
      await partner.ask('POST', command.path(partner)),
    ];
    if (!command.once) expect(answers[1]?.text).not.toBe(answers[0]?.text);
    expect(await command.effects(partner)).toBe(command.once ? 1 : 2);
    const stored = await count(harness.rows`select 1 from requests where org_id = ${partner.organisationId}`);
    expect(stored).toBe(0);
  });

  test('gives thirty callers at once one effect and one answer', async () => {
    const partner = await startFurnished();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => partner.ask('POST', command.path(partner), {}, 'crowd')),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await command.effects(partner)).toBe(1);
  });

  test('refuses another request, also one of another operation', async () => {
    const partner = await startFurnished();
    await partner.ask('POST', command.path(partner), undefined, 'taken');
    const { path, body } = await command.other(partner);
    const before = await command.effects(partner);
    for (const [otherPath, otherBody] of [
      [path, body],
      ['/verifications', undefined],
    ] as const) {
      const { status, json } = await partner.ask('POST', otherPath, otherBody, 'taken');
      expect(status).toBe(422);
      expect(json.error).toMatchObject({ type: 'idempotency_error', code: 'idempotency_key_reused' });
    }
    expect(await command.effects(partner)).toBe(before);
  });

  test('gives the first answer even after the endpoint was deactivated', async () => {
    const partner = await startFurnished();
    const first = await partner.ask('POST', command.path(partner), undefined, 'later');
    await partner.ask('DELETE', partner.path);
    expect((await partner.ask('POST', command.path(partner), undefined, 'later')).text).toBe(first.text);
    expect(await command.effects(partner)).toBe(1);
  });

  test('is not used up by a refusal', async () => {
    const partner = await startFurnished();
    const path = command.path(partner).replace(/[\da-f-]{36}/, randomUUID());
    expect((await partner.ask('POST', path, undefined, 'refused')).status).toBe(404);
    expect((await partner.ask('POST', command.path(partner), undefined, 'refused')).status).toBeLessThan(300);
  });

  test('belongs to one environment', async () => {
    const partner = await startFurnished();
    const live = await startPartner(harness, { org: partner.org, environment: 'live' });
    const path = command.path(partner);
    const livePath = (await command.inLive?.(live)) ?? path;
    const [ours, theirs] = await Promise.all([
      partner.ask('POST', path, undefined, 'shared'),
      live.ask('POST', livePath, undefined, 'shared'),
    ]);
    expect(theirs.status).toBe(ours.status);
    expect(theirs.text).not.toBe(ours.text);
    expect(await command.effects(partner)).toBe(command.inLive ? 1 : 2);
  });

  test('is free again after 24 hours, once for ten callers', async () => {
    const partner = await startFurnished();
    const ask = () => partner.ask('POST', command.path(partner), undefined, 'old');
    const first = await ask();
    await harness.rows`update requests set created_at = now() - interval '25 hours' where org_id = ${partner.organisationId}`;
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    if (!command.once) expect(answers[0]?.text).not.toBe(first.text);
    expect(await command.effects(partner)).toBe(command.once ? 1 : 2);
  });

  test('stores its answer sealed', async () => {
    const partner = await startFurnished();
    const { json } = await partner.ask('POST', command.path(partner), undefined, 'sealed');
    const rows = await harness.rows<{ status: string; text: string }>`
      select status, r::text || encode(answer, 'escape') as text
      from requests r where org_id = ${partner.organisationId} and idempotency_key = 'sealed'`;
    expect(rows).toMatchObject([{ status: 'answered' }]);
    expect(rows[0]?.text).not.toContain(json.secret ?? json.verify_url ?? json.upload_url ?? json.id);
  });
});
