import { copyFileSync, globSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call } from '#test/support/harness.ts';
import { inParallel } from '#test/support/in-parallel.ts';
import { person } from '#test/support/people/person.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { type Deployment, missing, startDeployment } from './deployment.ts';
import { runShell } from './page.ts';

/**
 * Carries out the restore of docs/operations.md, once with a Temporal that knows more than the database, and then with one that knows
 * less. Afterwards every repeated key, every overdue delivery and every flow finds its way within two minutes. RESTORE_SIZE is the
 * number of each.
 */
const size = Number(process.env.RESTORE_SIZE ?? 20);
const foundWithinMs = 120_000;
/** Preparing a thousand of each takes many minutes on a busy machine. */
const prepareMsMax = 60_000 + size * 2_000;
vi.setConfig({ testTimeout: 2 * foundWithinMs + 3 * prepareMsMax, hookTimeout: 120_000 });

let deployment: Deployment;
let key: string;
beforeAll(async () => {
  if (missing !== undefined) return;
  deployment = await startDeployment();
  deployment.env.SECRETS_KEY = (await deployment.run('make-key')).trim();
  await deployment.run('roles');
  await deployment.run('migrate');
  await deployment.startAll();
  const made = await runShell(
    'npm run --silent keys -- create --org Acme --environment sandbox --rate-limit 1000000 --json',
    deployment.env,
  );
  key = JSON.parse(made.output).key;
});
afterAll(() => deployment?.stop());

const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, headers = {}) =>
  call({ url: deployment.url }, method, path, { key, body, headers });

/** Repeats a request whose outcome is unknown, as the interface asks its callers to. */
async function insist(path: string, body?: object, headers = {}) {
  for (;;) {
    const answer = await ask('POST', path, body, headers);
    if (answer.status !== 503) return answer;
  }
}

type Created = { idempotencyKey: string; id: string; verifyUrl: string };

async function create(idempotencyKey: string, body: object): Promise<Created> {
  const { status, json } = await insist('/v1/verifications', body, { 'idempotency-key': idempotencyKey });
  expect(status).toBe(201);
  return { idempotencyKey, id: json.id, verifyUrl: json.verify_url };
}

const names = (name: string) => Array.from({ length: size }, (_, number) => `${name} ${number}`);
const held = { method: 'document_only', sandbox: { auto_complete: false } };
const createHeld = (name: string) => inParallel(names(name), (each) => create(each, held));

/** Verifications in the middle of their flow: everything is handed in, and nothing is sent. */
async function createFlows(name: string): Promise<Created[]> {
  const flows = await createHeld(name);
  await inParallel(flows, async ({ verifyUrl }) => {
    const tester = person(deployment, verifyUrl);
    await tester.start();
    expect((await tester.specimen('passport_page')).status).toBe(200);
  });
  return flows;
}

const rowsOf = (statement: string) => deployment.query(statement) as Promise<{ id: string }[]>;
const retrying = () => rowsOf("select id from deliveries where status = 'retrying'");
const makeOverdue = (which: string) =>
  deployment.query(
    `update deliveries set next_attempt_at = now() - interval '1 hour' where status = 'retrying' and ${which}`,
  );

/** Deliveries whose first attempt failed, and whose workflows sleep for ten minutes. */
async function createSleeping(name: string) {
  const before = (await retrying()).length;
  const refused = { status: 500, headers: { 'retry-after': '600' } };
  const receiver = await startReceiver(...Array(size).fill(refused), { status: 200 });
  const { json: endpoint } = await ask('POST', '/v1/webhooks', { url: receiver.url });
  await inParallel(names(name), (each) => create(each, { method: 'idin' }));
  await vi.waitFor(async () => expect(await retrying()).toHaveLength(before + size), {
    timeout: prepareMsMax,
  });
  return { receiver, endpoint };
}

/** Everything that must find its way. Callers repeat their keys and complete; persons come back and send. */
async function expectAllFound(what: {
  known: Created[];
  late: string[];
  flows: Created[];
  receiver: Awaited<ReturnType<typeof startReceiver>>;
}): Promise<string> {
  const startedMs = performance.now();
  const processorBefore = deployment.processorSeconds();
  const repeated = await inParallel(what.known, ({ idempotencyKey }) => create(idempotencyKey, held));
  expect(repeated.map(({ id }) => id)).toEqual(what.known.map(({ id }) => id));
  const late = await inParallel(what.late, (idempotencyKey) => create(idempotencyKey, held));
  await inParallel([...repeated, ...late], async ({ id }) =>
    expect([200, 409]).toContain((await insist(`/v1/verifications/${id}/complete`)).status),
  );
  await inParallel(what.flows, async ({ verifyUrl }) => {
    const tester = person(deployment, verifyUrl);
    expect((await tester.look()).text).toContain('/submit?');
    // The page after a 503 asks the person to send again.
    for (let isSent = false; !isSent; ) isSent = (await tester.submit()).status !== 503;
  });
  const open = `
    select id::text from verifications where status <> 'completed'
    union all select id::text from deliveries where status in ('pending', 'retrying')`;
  const leftMs = foundWithinMs - (performance.now() - startedMs);
  await vi.waitFor(async () => expect(await rowsOf(open)).toEqual([]), { timeout: leftMs, interval: 500 });
  expectOneEventEach(what.receiver);
  const used = Object.entries(deployment.processorSeconds()).map(
    ([part, seconds]) => `${part} ${(seconds - (processorBefore[part] ?? 0)).toFixed(1)}`,
  );
  return `${Math.round((performance.now() - startedMs) / 1_000)} s; processor seconds: ${used.join(', ')}`;
}

/** An event may come more than once, and always with the same id. */
function expectOneEventEach({ received }: Awaited<ReturnType<typeof startReceiver>>): void {
  const idsOf = Map.groupBy(received, ({ body }) => JSON.parse(body.toString()).data.verification_id);
  for (const events of idsOf.values())
    expect(new Set(events.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
}

async function expectNothingLeft() {
  await vi.waitFor(
    async () => {
      const compared = await deployment.run('compare');
      expect(compared).toContain('deliveries overdue: 0');
      expect(compared).toContain('not in the database: 0');
    },
    { timeout: foundWithinMs },
  );
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

test('the database is restored, and Temporal knows more: everything finds its way', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const { receiver, endpoint } = await createSleeping('sleeping before');
  const known = await createHeld('held before');
  const flows = await createFlows('flow before');
  await deployment.run('back-up');

  // Temporal learns what the dump does not hold: half of the deliveries arrive, everything is completed, and more is created.
  const sleeping = await retrying();
  const half = sleeping.slice(0, size / 2).map(({ id }) => `'${id}'`);
  await makeOverdue(`id in (${half})`);
  await deployment.run('repair');
  await inParallel(known, ({ id }) => insist(`/v1/verifications/${id}/complete`));
  await inParallel(flows, async ({ verifyUrl }) => {
    await person(deployment, verifyUrl).submit();
  });
  const late = await createHeld('held after');
  await vi.waitFor(async () => expect((await retrying()).length).toBe(size - half.length), {
    timeout: prepareMsMax,
  });

  await deployment.stopAll();
  await deployment.dropDatabase();
  await deployment.run('restore');
  await makeOverdue('true');
  const compared = await deployment.run('compare');
  expect(compared).toContain(`deliveries overdue: ${size} (started again)`);
  expect(compared).toContain(`not in the database: ${size} (ended)`);
  expect(compared).toContain('rows that differ from the ledger: 0');
  expect(compared).toContain('ledger chains that do not hold: 0');
  await deployment.startAll();
  const lateKeys = late.map(({ idempotencyKey }) => idempotencyKey);
  const took = await expectAllFound({ known, late: lateKeys, flows, receiver });
  say(`restore with a newer Temporal: ${size} keys, deliveries and flows found their way in ${took}`);
  await expectNothingLeft();
  await ask('DELETE', `/v1/webhooks/${endpoint.id}`);
});

const suffix = '.backup';
const filesOf = (pattern: string) => globSync(`${deployment.temporalFile}${pattern}`);
const dropTemporal = () => {
  for (const file of filesOf('{,-wal,-shm}')) rmSync(file);
};
const backUpTemporal = () => {
  for (const file of filesOf('{,-wal}')) copyFileSync(file, file + suffix);
};
const putBackTemporal = () => {
  dropTemporal();
  for (const file of filesOf(`{,-wal}${suffix}`)) copyFileSync(file, file.slice(0, -suffix.length));
};

test.for([
  ['comes back older', putBackTemporal],
  ['is lost', dropTemporal],
] as const)(
  'Temporal %s, and the database knows more: everything finds its way',
  async ([how, breakTemporal], { skip }) => {
    skip(missing !== undefined, missing);
    const before = await createSleeping(`sleeping before it ${how}`);
    const known = await createHeld(`held before it ${how}`);
    const flows = await createFlows(`flow before it ${how}`);
    await deployment.stopAll();
    await deployment.withoutTemporal(backUpTemporal);
    await deployment.startAll();

    // The database learns what the older Temporal does not know.
    const { receiver, endpoint } = await createSleeping(`sleeping after it ${how}`);
    known.push(...(await createHeld(`held after it ${how}`)));
    flows.push(...(await createFlows(`flow after it ${how}`)));

    await deployment.stopAll();
    await deployment.withoutTemporal(breakTemporal);
    await makeOverdue('true');
    await deployment.run('compare');
    await deployment.startAll();
    const took = await expectAllFound({ known, late: [], flows, receiver });
    say(`a Temporal that ${how}: ${2 * size} keys, deliveries and flows found their way in ${took}`);
    expectOneEventEach(before.receiver);
    await expectNothingLeft();
    await ask('DELETE', `/v1/webhooks/${before.endpoint.id}`);
    await ask('DELETE', `/v1/webhooks/${endpoint.id}`);
  },
);
