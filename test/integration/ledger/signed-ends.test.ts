import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { beginning, lineHash } from '#services/ledger/append.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { fillLedger } from '#test/support/rows/fill.ts';

/** Somebody who can change every row of the database edits the ledger after its ends were signed. */

const harness = await startHarness();
const { key, organisationId } = await harness.key();
const keys = [Buffer.alloc(32, 21), Buffer.alloc(32, 22)];
const [ledgerKey = Buffer.alloc(0)] = keys;
const folders = await mkdtemp(join(tmpdir(), 'ledger-'));
atTheEnd(() => rm(folders, { recursive: true }));
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(folders, 'of-a-test-'));
});

const sign = (day: string, signer = createSigner([ledgerKey])) =>
  signLedger(
    { store: harness.store, clock: { ...harness.ctx.clock, now: () => new Date(`${day}T03:00:00Z`) } },
    rootFiles(folder, signer),
  );

const command = join(import.meta.dirname, '../../../worker/commands/inspect.ts');
function inspect(...ledgerKeys: Buffer[]) {
  const { status, stdout } = spawnSync(process.execPath, [command, '--only', 'history'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: harness.databaseUrl,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      LEDGER_DIR: folder,
      LEDGER_KEY: (ledgerKeys.length > 0 ? ledgerKeys : [ledgerKey])
        .map((each) => each.toString('base64'))
        .join(','),
    },
  });
  return { status, stdout };
}
const nothingWrong = { status: 0, stdout: expect.stringContaining('not as signed: 0') };

async function completed(): Promise<string> {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  await expect
    .poll(async () => (await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json.status)
    .toBe('completed');
  return json.id;
}

/** Its chain has a line for the creation and one for the completion. */
async function completedLater(): Promise<string> {
  const body = { sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });
  const lines = await harness.rows`select from ledger where subject_id = ${json.id}`;
  expect(lines).toHaveLength(2);
  return json.id;
}

const hashOfLine = async (id: string, sequence: number): Promise<Buffer> => {
  const [line] = await harness.rows<{ hash: Buffer }>`
    select hash from ledger where subject_id = ${id} and sequence = ${sequence}`;
  return line?.hash ?? beginning.hash;
};

/** Writes the last line of the chain and the row of the verification anew, so that both agree and every hash is right. */
async function rewrite(id: string): Promise<void> {
  const [line] = await harness.rows<{ sequence: number; type: string; created_at: Date; data: object }>`
    select sequence, type, created_at, data from ledger where subject_id = ${id} order by sequence desc limit 1`;
  if (line === undefined) throw new Error('no line');
  const { sequence, type, created_at: at } = line;
  const verdict = (line.data as { verdict: object }).verdict;
  const data = { ...line.data, verdict: { ...verdict, outcome: 'rejected' } };
  const previous = { sequence: sequence - 1, hash: await hashOfLine(id, sequence - 1) };
  const hash = lineHash(previous, { subjectId: id, type, data, at });
  await harness.rows`
    update ledger set data = ${JSON.stringify(data)}::jsonb, hash = ${hash}
    where subject_id = ${id} and sequence = ${sequence}`;
  await harness.rows`
    update verifications set verdict = jsonb_set(verdict::jsonb, '{outcome}', '"rejected"') where id = ${id}`;
}

/** Removes the verification and everything about it. */
async function removeWhole(id: string): Promise<void> {
  await harness.rows`delete from delivery_attempts`;
  for (const [table, column] of [
    ['ledger', 'subject_id'],
    ['events', 'verification_id'],
    ['commands', 'verification_id'],
    ['requests', 'id'],
    ['verifications', 'id'],
  ] as const)
    await harness.rows`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`;
}

type Line = { type: string; data: object; created_at: Date };

/** Writes the whole chain anew with other lines, so that every number and every hash is right again. */
const recompute = (change: (lines: Line[]) => Line[]) => async (id: string) => {
  const lines = await harness.rows<Line>`
    select type, data, created_at from ledger where subject_id = ${id} order by sequence`;
  await harness.rows`delete from ledger where subject_id = ${id}`;
  let previous = beginning;
  for (const { type, data, created_at: at } of change(lines)) {
    const hash = lineHash(previous, { subjectId: id, type, data: { ...data }, at });
    const sequence = previous.sequence + 1;
    await harness.rows`
      insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
      values (${id}, ${sequence}, ${organisationId}, ${type}, ${JSON.stringify(data)}::jsonb, ${previous.hash}, ${hash}, ${at})`;
    previous = { sequence, hash };
  }
};

const looked: Line = {
  type: 'evidence.viewed',
  data: { actor: { kind: 'operator' }, kinds: ['selfie'] },
  created_at: new Date('2026-11-01T00:00:00Z'),
};

const cutEnd = (id: string) => harness.rows`
  delete from ledger where subject_id = ${id}
  and sequence = (select max(sequence) from ledger where subject_id = ${id})`;

test('chains that grew since, and new chains, are as signed', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  await sign('2026-11-20');
  await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });
  await completed();
  expect(inspect()).toEqual(nothingWrong);
});

describe('is named', () => {
  const lines = (stdout: string, id: string) => stdout.split('\n').filter((line) => line.includes(id));

  test.each([
    { what: 'a verification that was removed with its whole chain', harm: removeWhole },
    { what: 'an end that was rewritten together with its row', harm: rewrite },
    { what: 'an end that was cut off', harm: cutEnd },
    {
      what: 'a line in the middle that was changed, with all hashes after it',
      harm: recompute(([first, ...others]) => [
        { ...(first ?? looked), created_at: new Date('2026-01-01T00:00:00Z') },
        ...others,
      ]),
    },
    { what: 'a line in the middle that was removed', harm: recompute(([_, ...others]) => others) },
    {
      what: 'a line in the middle that was inserted',
      harm: recompute(([first = looked, ...others]) => [first, looked, ...others]),
    },
  ])('$what', async ({ harm }) => {
    const id = await completedLater();
    await sign('2026-11-20');
    expect(inspect()).toEqual(nothingWrong);
    await harm(id);
    const { status, stdout } = inspect();
    expect(status).toBe(1);
    expect(stdout).toContain('not as signed: 1');
    expect(lines(stdout, id).join()).toContain(`the chain of ${id} lost lines that were signed`);

    // The next day signs what is left, and remembers.
    expect(await sign('2026-11-21')).toMatchObject({ broken: 1 });
    expect(lines(inspect().stdout, id).join()).toContain('noted on 2026-11-21: 1 chains were cut or changed');
    expect(await sign('2026-11-22')).toMatchObject({ broken: 0 });
    expect(lines(inspect().stdout, id).join()).toContain('noted on 2026-11-21');
    await removeWhole(id);
  });
});

describe('the files', () => {
  test('of a day are made once, and the ends of earlier days are not kept', async () => {
    const first = await sign('2026-11-20');
    await completed();
    expect(await sign('2026-11-20')).toEqual(first);
    expect(await sign('2026-11-19')).toEqual(first);
    const second = await sign('2026-11-21');
    expect(second.chains).toBe(first.chains + 1);
    const { fingerprint } = createSigner([ledgerKey]);
    const names = [
      '2026-11-20.json',
      '2026-11-20.sig',
      ...['heads', 'json', 'sig'].map((end) => `2026-11-21.${end}`),
    ];
    expect((await readdir(folder)).sort()).toEqual([...names, `${fingerprint}.pem`].sort());
  });

  test('are checked by openssl, sort and sha256sum alone', async () => {
    const id = await completed();
    await sign('2026-11-20');
    const { fingerprint } = createSigner([ledgerKey]);
    const openssl = `pkeyutl -verify -pubin -inkey ${fingerprint}.pem -rawin -in 2026-11-20.json -sigfile 2026-11-20.sig`;
    expect(spawnSync('openssl', openssl.split(' '), { cwd: folder }).status).toBe(0);
    const heads = await readFile(join(folder, '2026-11-20.heads'), 'utf8');
    const [{ sequence, hash } = { sequence: 0, hash: '' }] = await harness.rows<{
      sequence: number;
      hash: string;
    }>`
      select sequence, encode(hash, 'hex') as hash from ledger where subject_id = ${id} order by sequence desc limit 1`;
    expect(heads.split('\n')).toContain(`${id} ${sequence} ${hash}`);
  });

  const edit = async (name: string, change: (text: string) => string) => {
    const file = join(folder, name);
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
  const signDays = async () => {
    for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) await sign(day);
  };

  test.each([
    {
      what: 'a statement that was changed',
      harm: () => edit('2026-11-20.json', (text) => text.replace('"chains": ', '"chains": 1')),
      line: 'signed ends of 2026-11-20: its statement is not what was signed',
    },
    {
      what: 'a statement that was removed',
      harm: () => Promise.all(['json', 'sig'].map((end) => rm(join(folder, `2026-11-20.${end}`)))),
      line: 'signed ends of 2026-11-21: the statement before it was removed',
    },
    {
      what: 'the first statement that was removed',
      harm: () => Promise.all(['json', 'sig'].map((end) => rm(join(folder, `2026-11-19.${end}`)))),
      line: 'signed ends of 2026-11-20: the statement before it was removed',
    },
    {
      what: 'a statement under the name of another day',
      harm: () =>
        Promise.all(
          ['json', 'sig'].map((end) =>
            copyFile(join(folder, `2026-11-19.${end}`), join(folder, `2026-11-20.${end}`)),
          ),
        ),
      line: 'signed ends of 2026-11-20: its statement is not what was signed',
    },
    {
      what: 'an end that was left out',
      harm: () => edit('2026-11-21.heads', (text) => text.slice(text.indexOf('\n') + 1)),
      line: 'signed ends of 2026-11-21: its ends are not those that were signed',
    },
    {
      what: 'a file that is none',
      harm: () => edit('2026-11-21.heads', () => 'nothing\n'),
      line: 'signed ends of 2026-11-21: its ends are not those that were signed',
    },
    {
      what: 'ends that were lost',
      harm: () => rm(join(folder, '2026-11-21.heads')),
      line: 'signed ends of 2026-11-21: its ends are not those that were signed',
    },
  ])('$what is named', async ({ harm, line }) => {
    await signDays();
    expect(inspect()).toEqual(nothingWrong);
    await harm();
    const { status, stdout } = inspect();
    expect(status).toBe(1);
    expect(stdout).toContain(line);
  });

  test('what an interrupted run left is removed', async () => {
    await writeFile(join(folder, '2026-11-20.heads.interrupted.new'), 'half a li');
    await sign('2026-11-20');
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(inspect()).toEqual(nothingWrong);
  });

  test('if the ends of a day are lost, the next day is signed and says so', async () => {
    await sign('2026-11-20');
    await rm(join(folder, '2026-11-20.heads'));
    expect(await sign('2026-11-21')).toMatchObject({ broken: null });
    const { status, stdout } = inspect();
    expect(status).toBe(1);
    expect(stdout).toContain('signed ends of 2026-11-21: the ends of the day before were lost');
  });

  test('a key that is renewed stays in the list, and a foreign key is refused', async () => {
    const [older = ledgerKey, newer = ledgerKey] = keys;
    await sign('2026-11-20', createSigner([older]));
    await sign('2026-11-21', createSigner([newer, older]));
    expect(inspect(newer, older)).toEqual(nothingWrong);
    const { status, stdout } = inspect(newer);
    expect(status).toBe(1);
    expect(stdout).toContain(
      'signed ends of 2026-11-20: its statement is not what was signed, or another key',
    );
  });
});

describe('while the ends are signed', () => {
  async function connected() {
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    atTheEnd(() => client.end());
    return client;
  }

  test('a transaction that holds a verification with its whole chain makes nobody wait', async () => {
    const id = await completedLater();
    await sign('2026-11-19');
    const holder = await connected();
    await holder.query('begin');
    await holder.query('select from verifications where id = $1 for update', [id]);
    await holder.query('select from ledger where subject_id = $1 for update', [id]);
    const previous = { sequence: 2, hash: await hashOfLine(id, 2) };
    const { type, data, created_at: at } = looked;
    const hash = lineHash(previous, { subjectId: id, type, data: { ...data }, at });
    await holder.query(
      `insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
       values ($1, 3, $2, $3, $4, $5, $6, $7)`,
      [id, organisationId, type, data, previous.hash, hash, at],
    );

    expect(await sign('2026-11-20')).toMatchObject({ broken: 0 });
    const heads = await readFile(join(folder, '2026-11-20.heads'), 'utf8');
    expect(heads.split('\n')).toContain(`${id} 2 ${previous.hash.toString('hex')}`);
    await holder.query('commit');
    expect(inspect()).toEqual(nothingWrong);
  });

  test('no transaction waits: the ledger can even be locked as a whole', async () => {
    const files = rootFiles(folder, createSigner([ledgerKey]));
    const [halfWay, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    atTheEnd(async () => goOn.resolve());
    async function* stopping<T>(rows: AsyncIterable<T>) {
      for await (const row of rows) {
        halfWay.resolve();
        await goOn.promise;
        yield row;
      }
    }
    const id = await completedLater();
    const signing = signLedger(
      { store: harness.store, clock: { ...harness.ctx.clock, now: () => new Date('2026-11-20T03:00:00Z') } },
      { ...files, writeHeads: (day, heads) => files.writeHeads(day, stopping(heads)) },
    );
    await Promise.race([halfWay.promise, signing]);
    const other = await connected();
    await other.query(`set lock_timeout = '10s'`);
    await other.query('begin; lock table ledger, verifications in access exclusive mode; commit');
    await completedLater();
    await removeWhole(id);

    goOn.resolve();
    await signing;
    expect(inspect().stdout).toContain(`the chain of ${id} lost lines that were signed`);
  });
});

test('of a large ledger every end is signed and compared, page by page', async () => {
  const ids = await fillLedger(harness.ctx, { orgId: organisationId, subjects: 4_500, linesEach: 2 });
  const { chains } = await sign('2026-11-20');
  expect(chains).toBeGreaterThanOrEqual(4_500);
  const harmed = [ids[0], ids[2_100], ids[4_499]];
  for (const id of harmed) await harness.rows`delete from ledger where subject_id = ${id} and sequence = 2`;
  const { stdout } = inspect();
  expect(stdout).toContain('not as signed: 3');
  for (const id of harmed) expect(stdout).toContain(`the chain of ${id} lost lines`);
  await harness.rows`delete from ledger where subject_id = any(${ids}::uuid[])`;
});
