import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { openStore } from '#store/database/connection.ts';
import { untilAsleep } from '#test/support/asleep.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { runProgram } from '#test/support/program.ts';
import { fillDeliveries, fillLedger } from '#test/support/rows/fill.ts';
import { revoke } from '#test/support/rows/keys.ts';
import { startTestTemporal } from '#test/support/servers/temporal.ts';
import { wrongClock } from '#test/support/servers/wrong-clock.ts';

const folder = await mkdtemp(join(tmpdir(), 'inspection-'));
atTheEnd(() => rm(folder, { recursive: true }));
const temporal = await startTestTemporal(folder);
atTheEnd(temporal.stop);
const harness = await startHarness({ temporalAddress: temporal.address });
const { key } = await harness.key();

const command = fileURLToPath(new URL('../../../worker/commands/inspect.ts', import.meta.url));
const env = {
  DATABASE_URL: harness.databaseUrl,
  TEMPORAL_ADDRESS: temporal.address,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const runWith = (own: NodeJS.ProcessEnv, ...args: string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env, ...own },
  });
  return { status, stdout };
};
const run = (...args: string[]) => runWith({}, ...args);
/** Its run has begun: a run that reads its row only after a test changed it does something else. */
const pending = async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    ...{ key, body: { sandbox: { auto_complete: false } } },
  });
  await untilAsleep(harness, json.id);
  return json.id;
};

test('a verification that a restored database no longer knows is named, and its workflow ended by --repair', async () => {
  const [kept, lost] = [await pending(), await pending()];
  for (const table of ['ledger', 'requests', 'verifications'])
    await harness.rows`delete from ${sql.table(table)} where ${sql.ref(table === 'ledger' ? 'subject_id' : 'id')} = ${lost}`;
  await expect.poll(() => run().stdout, { timeout: 20_000, interval: 500 }).toContain(lost);
  expect(run().status).toBe(1);
  const repaired = run('--repair');
  expect(repaired.stdout).toContain('(ended)');
  expect(repaired.stdout).not.toContain(kept);
  const status = async (id: string) =>
    (await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe()).status.name;
  expect(await status(lost)).toBe('TERMINATED');
  expect(await status(kept)).toBe('RUNNING');
});

test('a workflow that an older Temporal brought back for a completed verification is ended by --repair', async () => {
  const id = await pending();
  const complete = (ago: string) => harness.rows`
    update verifications set status = 'completed', completed_at = now() - ${ago}::interval where id = ${id}`;
  const named = `verification ${id} is completed or not in the database`;
  await complete('1 second');
  expect(run().stdout).not.toContain(named);
  await complete('2 minutes');
  await expect.poll(() => run().stdout, { interval: 500 }).toContain(named);
  expect(run('--repair').stdout).toContain('(ended)');
  const { status } = await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe();
  expect(status.name).toBe('TERMINATED');
  await harness.rows`update verifications set status = 'pending', completed_at = null where id = ${id}`;
});

test('so is one of a tester who walked the flow in sandbox, where no document is masked', async () => {
  const created = await call(harness, 'POST', '/v1/verifications', {
    ...{ key, body: { method: 'document_only', sandbox: { auto_complete: false } } },
  });
  const { id, verify_url: verifyUrl } = created.json;
  const tester = person(harness, verifyUrl);
  await tester.start();
  await tester.specimen('passport_page');
  await harness.rows`
    update verifications set status = 'completed', completed_at = now() - interval '2 minutes' where id = ${id}`;
  await harness.rows`update evidence set taken_at = now() - interval '2 minutes' where verification_id = ${id}`;
  await expect
    .poll(() => run('--repair').stdout, { interval: 500 })
    .toContain(`verification ${id} is completed or not in the database`);
  const { status } = await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe();
  expect(status.name).toBe('TERMINATED');
  await harness.rows`update verifications set status = 'in_progress', completed_at = null where id = ${id}`;
});

test('a changed line of the ledger is found', async () => {
  const id = await pending();
  expect(run().stdout).not.toContain(id);
  await harness.rows`update ledger set data = data || '{"method":"idin"}' where subject_id = ${id}`;
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toContain(`ledger chains that do not hold: 1`);
  expect(stdout).toContain(id);
  await harness.rows`update ledger set data = data || '{"method":"document_liveness"}' where subject_id = ${id}`;
});

/** Harms the database as somebody who can change any row, and expects that the inspection names the subject until this is undone. */
async function isNamed(
  id: string,
  { harm, undo }: { harm(): Promise<unknown>; undo(): Promise<unknown> },
): Promise<void> {
  expect(run().stdout).not.toContain(id);
  await harm();
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toContain(`the row of ${id} is not what the last line of its chain says`);
  await undo();
  expect(run().stdout).not.toContain(id);
}

/** Deletes lines of a chain, the last ones first. */
const cut = (id: string, from: number) => ({
  async harm() {
    await harness.rows`create table cut as select * from ledger where subject_id = ${id} and sequence >= ${from}`;
    await harness.rows`delete from ledger where subject_id = ${id} and sequence >= ${from}`;
  },
  async undo() {
    await harness.rows`insert into ledger select * from cut`;
    await harness.rows`drop table cut`;
  },
});

test('a chain whose end was cut off is named', async () => {
  const id = await pending();
  await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key });
  await isNamed(id, cut(id, 2));
});

test('a chain that was removed is named', async () => {
  const id = await pending();
  await isNamed(id, cut(id, 1));
});

test('a verdict that was changed in its row is named', async () => {
  const id = await pending();
  await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key, body: { scenario: 'rejected' } });
  const forge = (outcome: string) =>
    harness.rows`
      update verifications set verdict = jsonb_set(verdict::jsonb, '{outcome}', to_jsonb(${outcome}::text))
      where id = ${id}`;
  await isNamed(id, { harm: () => forge('approved'), undo: () => forge('rejected') });
});

describe('who edits the row to keep a verification longer, or to remove it sooner, is named:', () => {
  const completed = async () => {
    const { key } = await harness.key({ environment: 'live' });
    const { id } = (
      await call(harness, 'POST', '/v1/verifications', { key, body: { method: 'document_only' } })
    ).json;
    return id as string;
  };

  test('a relationship that nobody reported', async () => {
    const id = await completed();
    const end = (at: Date | null) =>
      harness.rows`update verifications set relation_ended_at = ${at} where id = ${id}`;
    await isNamed(id, { harm: () => end(new Date('2020-01-02')), undo: () => end(null) });
  });

  test('a relationship that goes on, as nobody said', async () => {
    const id = await completed();
    const goOn = (on: boolean) =>
      harness.rows`update verifications set relation_continues = ${on} where id = ${id}`;
    await isNamed(id, { harm: () => goOn(true), undo: () => goOn(false) });
  });

  test('an erasure that never happened', async () => {
    const id = await completed();
    const erase = (at: Date | null) =>
      harness.rows`update verifications set erased_at = ${at} where id = ${id}`;
    await isNamed(id, { harm: () => erase(new Date()), undo: () => erase(null) });
  });
});

test('an endpoint that was activated again in its row is named', async () => {
  const { receiver, path, endpoint, ask } = await startPartner(harness);
  await ask('DELETE', path);
  const activate = (active: boolean) =>
    harness.rows`update webhook_endpoints set active = ${active} where id = ${endpoint.id}`;
  await isNamed(endpoint.id, { harm: () => activate(true), undo: () => activate(false) });
  await receiver.stop();
});

test('a revoked key that was made to work again in its row is named', async () => {
  const { id } = await harness.key();
  await revoke(harness.store, id);
  const end = (at: Date | null) => harness.rows`update api_keys set revoked_at = ${at} where id = ${id}`;
  await isNamed(id, { harm: () => end(null), undo: () => end(new Date()) });
});

test('a create that is in progress is no fault, although the database has no row of it yet', async () => {
  await harness.stopWorker();
  const created = call(harness, 'POST', '/v1/verifications', { key });
  const isRunning = async () => {
    const [claim] = await harness.rows<{ id: string }>`select id from requests where status = 'claimed'`;
    const query = `WorkflowId = '${verificationWorkflowId(claim?.id ?? '')}' AND ExecutionStatus = 'Running'`;
    return (await harness.temporal.workflow.count(query)).count;
  };
  await expect.poll(isRunning).toBe(1);
  const { status, stdout } = run('--repair');
  expect(stdout).toContain('not in the database: 0');
  expect(status).toBe(0);
  await harness.startWorker();
  await created;
});

test('a completed verification without its event is found', async () => {
  const id = await pending();
  await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key });
  await harness.rows`update events set verification_id = null where verification_id = ${id}`;
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toContain(`verification ${id} is completed and has no event`);
  await harness.rows`update events set verification_id = ${id} where verification_id is null`;
});

describe('of a long history', () => {
  const spoil = (id: string, sequence: number) =>
    harness.rows`update ledger set hash = sha256(hash) where subject_id = ${id} and sequence = ${sequence}`;
  const heal = async (ids: readonly string[]) => {
    for (const id of ids) await harness.rows`delete from ledger where subject_id = ${id}`;
  };
  const linesEach = 3_000;
  const fill = async () => {
    const orgId = await organisation();
    const ids = await fillLedger(harness.ctx, { orgId, subjects: 3, linesEach });
    await harness.rows`
      insert into webhook_endpoints (id, org_id, url, event_types, environment, secret)
      select id, ${orgId}, 'https://partner.example/hooks', '{}', 'all', '' from unnest(${ids}::uuid[]) as made (id)`;
    return ids;
  };
  const organisation = async () => (await harness.key()).organisationId;
  const notHolding = (stdout: string) => /do not hold: (\d+)/.exec(stdout)?.[1];

  test('chains that are longer than a page hold, until a line of them is changed', async () => {
    const [first = '', , last = ''] = await fill();
    expect(run('--only', 'history')).toMatchObject({ status: 0 });
    await spoil(first, linesEach);
    await spoil(last, 1);
    const { status, stdout } = run('--only', 'history');
    expect(status).toBe(1);
    expect(notHolding(stdout)).toBe('2');
    for (const id of [first, last]) expect(stdout).toContain(`the chain of ${id} does not hold`);
    await heal([first, last]);
  });

  test('an inspection that is interrupted says how it continues, and finds the rest from there', async () => {
    const [first = '', second = '', third = ''] = await fill();
    await spoil(first, 1);
    await spoil(third, linesEach);
    const reader = await openStore(harness.databaseUrl, 1);
    let place = '';
    await reader.transaction(async (tx) => {
      await sql`lock table webhook_endpoints in access exclusive mode`.execute(tx);
      const inspection = runProgram('worker/commands/inspect.ts', env, ['--only', 'history']);
      // Postgres would end this transaction if it were idle.
      const isWaiting = async () =>
        (await sql`select from pg_locks where not granted`.execute(tx)).rows.length === 1;
      await expect.poll(isWaiting, { interval: 100 }).toBe(true);
      inspection.signal('SIGINT');
      expect(await inspection.exited).toBe(130);
      place = /--from (verifications\/\S+)/.exec(inspection.output())?.[1] ?? '';
    });
    await reader.close();
    const rest = run('--from', place);
    expect(rest.stdout).not.toContain('deliveries overdue');
    expect(notHolding(rest.stdout)).toBe('2');
    const afterSecond = run('--from', `ledger/${second}`);
    expect(afterSecond.stdout).not.toContain(first);
    expect(afterSecond.stdout).toContain(`the chain of ${third} does not hold`);
    expect(notHolding(afterSecond.stdout)).toBe('1');
    await heal([first, third]);
  });

  const someId = '01990000-0000-7000-8000-000000000000';
  test.each([['ledger'], ['ledger/1'], [`events/${someId}`], [`ledger/${someId}/1`]])(
    '%s is no place from which it can continue',
    (place) => expect(run('--from', place)).toEqual({ status: 64, stdout: '' }),
  );
});

test('a machine that is an hour behind finds what has been overdue for minutes', async () => {
  await harness.stopWorker();
  const partner = await startPartner(harness);
  await fillDeliveries(harness, partner, { status: 'pending', count: 1, attempts: 0 });
  await harness.rows`update deliveries set next_attempt_at = now() - interval '10 minutes'`;
  const { stdout } = runWith(wrongClock(-3_600_000), '--only', 'work');
  expect(stdout).toContain('deliveries overdue: 1');
  await harness.startWorker();
});

test('data that housekeeping should have deleted long ago are named', async () => {
  expect(run().stdout).toContain('kinds of data kept for too long: 0 ');
  const id = await pending();
  await harness.rows`
    insert into evidence (verification_id, kind, org_id, environment, expires_at)
    select id, 'passport_page', org_id, environment, now() - interval '40 hours' from verifications
    where id = ${id}`;
  const { stdout } = run();
  expect(stdout).toContain('kinds of data kept for too long: 1 ');
  expect(stdout).toContain('evidence: the oldest by 40 hours; last finished never');
});
