import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import type { KeyedRoute } from '#api/rest/row.ts';
import { environments } from '#contract/enums.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const organisations = ['Ours', 'Theirs'];
const insides = await Promise.all(
  organisations.flatMap((org) => environments.map((environment) => furnish(org, environment))),
);

type Inside = Awaited<ReturnType<typeof furnish>>;

/** Creates one object of every kind in one environment of an organisation. */
async function furnish(org: string, environment: (typeof environments)[number]) {
  const { key } = await harness.key({ org, environment });
  const reference = `${org} ${environment}`;
  const { json: verification } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference, sandbox: { auto_complete: false } },
    headers: { 'idempotency-key': 'the same everywhere' },
  });
  const { json: webhook } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: `https://localhost:65535/${org}/${environment}`, description: reference },
  });
  await call(harness, 'POST', `/v1/webhooks/${webhook.id}/test`, { key });
  const delivery = (await deliveriesOf(webhook.id, key))[0];
  const incomeCheck = await (environment === 'sandbox' ? openIncomeCheck(key) : insertIncomeCheck(org));
  return { org, environment, key, verification, webhook, delivery, incomeCheck };
}

async function openIncomeCheck(key: string): Promise<{ id: string }> {
  const body = { sandbox: { auto_complete: false } };
  return (await call(harness, 'POST', '/v1/income-checks', { key, body })).json;
}

/** Live creates none yet. */
async function insertIncomeCheck(org: string): Promise<{ id: string }> {
  const id = newUuid();
  const [row] = await harness.rows<{ id: string }>`
    insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
    select ${id}, id, 'live', 'pending', 'income', ${`dos_${id}`}, ${harness.ctx.secrets.newestKeyId}, now() + interval '1 day'
    from organisations where name = ${org} returning org_id as id`;
  await harness.rows`insert into income_checks (verification_id, org_id) values (${id}, ${row?.id})`;
  return { id };
}

async function deliveriesOf(webhookId: string, key: string) {
  const { json } = await call(harness, 'GET', `/v1/webhooks/${webhookId}/deliveries`, { key });
  return json.data;
}

const isOfWebhooks = ({ path }: KeyedRoute) => path.startsWith('/webhooks');
const isOfIncome = ({ path }: KeyedRoute) => path.startsWith('/income-checks');

const idFor = (row: KeyedRoute, { verification, webhook, incomeCheck }: Inside): string =>
  (isOfWebhooks(row) ? webhook : isOfIncome(row) ? incomeCheck : verification).id;

/** The places that `inside` must not reach by this route. Endpoints belong to an organisation, all else to one environment. */
const outsidesOf = (row: KeyedRoute, inside: Inside) =>
  insides.filter(
    ({ org, environment }) =>
      org !== inside.org || (!isOfWebhooks(row) && environment !== inside.environment),
  );

const ask = async (row: KeyedRoute, key: string, id: string, { deliveryId = '', query = {} } = {}) => {
  const asked = `?${new URLSearchParams(query)}`.replace(/^\?$/, '');
  const path = `/v1${row.path.replace(':id', id).replace(':delivery_id', deliveryId)}${asked}`;
  const { status, json, text } = await call(harness, row.method, path, { key });
  return { status, code: json.error?.code, message: json.error?.message, text };
};

test('one idempotency key names another request in each organisation and environment', () => {
  expect(new Set(insides.map(({ verification }) => verification.id)).size).toBe(insides.length);
});

const takesId = ({ path }: KeyedRoute) => path.includes(':id');

test.each(keyedRoutes.filter(takesId))(
  '$method $path answers of a foreign id as of one that does not exist',
  async (row) => {
    covers('1/organisation-isolation', '5/key-determines-environment-and-organisation');
    for (const inside of insides) {
      const unknown = { deliveryId: randomUUID() };
      const { text: _, ...missing } = await ask(row, inside.key, randomUUID(), unknown);
      expect([403, 404]).toContain(missing.status);
      for (const outside of outsidesOf(row, inside))
        expect(
          await ask(row, inside.key, idFor(row, outside), { deliveryId: outside.delivery.id }),
        ).toMatchObject(missing);
    }
  },
);

test.each(keyedRoutes.filter(({ path }) => path.includes(':delivery_id')))(
  '$method $path finds no delivery but those of its own endpoint',
  async (row) => {
    covers('1/organisation-isolation');
    for (const inside of insides) {
      const unknown = { deliveryId: randomUUID() };
      const { text: _, ...missing } = await ask(row, inside.key, inside.webhook.id, unknown);
      expect(missing).toMatchObject({ status: 404, code: 'delivery_not_found' });
      for (const other of insides.filter((each) => each !== inside))
        expect(
          await ask(row, inside.key, inside.webhook.id, { deliveryId: other.delivery.id }),
        ).toMatchObject(missing);
    }
  },
);

test.each(keyedRoutes.filter((row) => row.method === 'GET' && !takesId(row)))(
  '$method $path shows its own and nothing foreign',
  async (row) => {
    covers('1/organisation-isolation', '5/key-determines-environment-and-organisation');
    for (const inside of insides) {
      const { status, text } = await ask(row, inside.key, '');
      expect(status).toBe(200);
      expect(text).toContain(idFor(row, inside));
      for (const outside of outsidesOf(row, inside)) expect(text).not.toContain(idFor(row, outside));
    }
  },
);

const parameters = keyedRoutes.flatMap((row) =>
  Object.keys(row.query?.shape ?? {}).map(
    (name) => [`${row.method} ${row.path}?${name}=`, row, name] as const,
  ),
);

test('the lists have parameters', () => expect(parameters.length).toBeGreaterThan(5));

test.each(parameters)('%s answers of each foreign id as of one that does not exist', async (_, row, name) => {
  covers('1/organisation-isolation');
  for (const inside of insides) {
    const answerTo = async (id: string) => {
      const { text: __, ...answer } = await ask(row, inside.key, idFor(row, inside), {
        query: { [name]: id },
      });
      return answer;
    };
    const unknown = await answerTo(randomUUID());
    expect(unknown.status).toBeGreaterThanOrEqual(400);
    for (const { verification, webhook, delivery, incomeCheck } of outsidesOf(row, inside))
      for (const { id } of [verification, webhook, delivery, incomeCheck])
        expect(await answerTo(id)).toEqual(unknown);
  }
});

test('after all these requests nothing has changed', async () => {
  for (const { key, verification, webhook, delivery } of insides) {
    const read = async (path: string) => (await call(harness, 'GET', path, { key })).json;
    expect(await read(`/v1/verifications/${verification.id}`)).toEqual(verification);
    expect(await read(`/v1/webhooks/${webhook.id}`)).toMatchObject({ active: true });
    expect(await deliveriesOf(webhook.id, key)).toMatchObject([{ id: delivery.id }]);
  }
  const rows = await harness.rows`select type from ledger where type = 'webhook.secret_rotated'`;
  expect(rows).toEqual([]);
});
