import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '#platform/crypto/crypto.ts';
import { keptMs } from '#policy/retention.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { rows } = harness;
const program = new URL('../../../worker/commands/relations.ts', import.meta.url);
const folder = newFolder();
const day = 86_400_000;

async function relations(args: string[], input = '') {
  const run = runProgram(program, args, { DATABASE_URL: harness.roleUrls.app, DATA_DIR: folder });
  run.process.stdin?.end(input);
  return ended(run);
}

let orgId: string;
beforeAll(async () => {
  orgId = (await harness.key({ org: 'Acme', environment: 'live' })).organisationId;
});

type Made = { completedAt?: Date | null; reference?: string; environment?: 'live' | 'sandbox' };

/** A verification whose chain has the line of its completion. */
async function made({ completedAt = daysAgo(10), reference, environment = 'live' }: Made = {}) {
  const id = newUuid();
  await rows`
    insert into verifications
      (id, org_id, environment, status, method, reference, dossier_ref, link_key_id, link_expires_at, created_at, completed_at)
    values (${id}, ${orgId}, ${environment}, ${completedAt === null ? 'pending' : 'completed'}, 'document_only',
      ${reference ?? null}, ${`dos_${id}`}, 'k', now(), ${completedAt ?? new Date()}, ${completedAt})`;
  if (completedAt !== null)
    await rows`
      insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
      values (${id}, 1, ${orgId}, 'verification.completed', '{}', '\\x00', '\\x00', ${completedAt})`;
  return id;
}

const daysAgo = (days: number) => new Date(Date.now() - days * day);
const dateOf = (at: Date) => at.toISOString().slice(0, 10);
/** The end of the last day of a relationship. */
const endOf = (date: string) => new Date(Date.parse(date) + day);
const keptUntil = (date: string) =>
  new Date(endOf(date).getTime() + keptMs.completed_verifications).toISOString();

const linesOf = (id: string) =>
  rows`select type, data from ledger where subject_id = ${id} and sequence > 1 order by sequence`;
const isKept = async (id: string) => (await rows`select from verifications where id = ${id}`).length === 1;
const removeExpired = () =>
  purgeExpired(
    { store: harness.housekeepingStore, clock: harness.ctx.clock },
    { what: 'completed_verifications', rowsMax: 100 },
  );

describe('the end of a relationship', () => {
  const yesterday = dateOf(daysAgo(1));

  test('is noted in the row and in the ledger, and the command says until when the verification is kept', async () => {
    const [first, second] = [await made(), await made()];
    const { exit, stdout, stderr } = await relations(['--ended', yesterday, first, second]);
    expect([exit, stdout]).toEqual([
      0,
      [first, second].map((id) => `${id}  ended ${yesterday}  kept until ${keptUntil(yesterday)}\n`).join(''),
    ]);
    expect(stderr).toBe('Reported: 2; reported before: 0; refused: 0.\n');
    expect(await rows`select relation_ended_at as at from verifications where id = ${first}`).toEqual([
      { at: endOf(yesterday) },
    ]);
    expect(await linesOf(first)).toEqual([
      { type: 'relation.ended', data: { actor: { kind: 'operator' }, ended_on: yesterday } },
    ]);
  });

  test('counts once if it is reported again, and a later report replaces it', async () => {
    const id = await made();
    await relations(['--ended', yesterday, id]);
    expect((await relations(['--ended', yesterday, id])).stderr).toContain('reported before: 1');
    expect(await linesOf(id)).toHaveLength(1);
    const corrected = dateOf(daysAgo(3));
    await relations(['--ended', corrected, id]);
    expect((await linesOf(id)).map(({ data }) => (data as { ended_on: string }).ended_on)).toEqual([
      yesterday,
      corrected,
    ]);
  });

  test('moves the removal: five years later the verification goes, and not five years after its completion', async () => {
    const completedAt = new Date(Date.now() - keptMs.completed_verifications - 20 * day);
    const [unreported, recent, continuing, long] = (await Promise.all(
      Array.from({ length: 4 }, () => made({ completedAt })),
    )) as [string, string, string, string];
    await relations(['--ended', yesterday, recent]);
    expect((await relations(['--continues', continuing])).stdout).toBe(
      `${continuing}  continues  kept until an end is reported\n`,
    );
    await relations(['--ended', dateOf(new Date(completedAt.getTime() + 10 * day)), long]);
    expect(await removeExpired()).toEqual({ rows: 2 });
    expect(await Promise.all([unreported, recent, continuing, long].map(isKept))).toEqual([
      ...[false, true, true, false],
    ]);
    expect((await linesOf(continuing)).map(({ type }) => type)).toEqual(['relation.continues']);
    await relations(['--ended', dateOf(new Date(completedAt.getTime() + day)), continuing]);
    expect(await removeExpired()).toEqual({ rows: 1 });
    expect(await isKept(continuing)).toBe(false);
  });

  test('can be given by the reference of the partner, for all its verifications of live', async () => {
    const two = [await made({ reference: 'klant, 7' }), await made({ reference: 'klant, 7' })];
    await made({ reference: 'klant, 7', environment: 'sandbox' });
    const { exit, stdout } = await relations([
      '--ended',
      yesterday,
      '--org',
      'Acme',
      '--reference',
      'klant, 7',
    ]);
    expect([exit, stdout.split('\n').map((line) => line.slice(0, 36))]).toEqual([0, [...two, '']]);
    expect((await relations(['--ended', yesterday, '--org', 'Acme', '--reference', 'nobody'])).exit).toBe(1);
  });

  test.each([
    ['CSV', (id: string) => `\ufeffid,date\r\n${id},${yesterday}\r\n`],
    ['JSON lines', (id: string) => `{"id":"${id}","date":"${yesterday}"}\n\n`],
  ])('can come from standard input as %s', async (_, contentOf) => {
    const id = await made();
    expect(await relations(['--file', '-'], contentOf(id))).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(`${id}  ended ${yesterday}`),
    });
  });

  test('can come from a file with references, of which some go on', async () => {
    await made({ reference: 'klant "8", oud' });
    await made({ reference: 'klant 9' });
    const file = join(folder, 'ends.csv');
    await writeFile(file, `date,reference\n${yesterday},"klant ""8"", oud"\ncontinues,klant 9\n`);
    const { exit, stdout } = await relations(['--file', file, '--org', 'Acme']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/ended .*\n.*continues {2}kept until an end is reported\n$/);
  });

  test('is refused where it cannot be, and the others are noted all the same', async () => {
    const cases = [
      [await made({ environment: 'sandbox' }), 'a verification of sandbox has no business relationship'],
      [await made({ completedAt: null }), 'the verification is not completed'],
      [await made({ completedAt: daysAgo(0) }), 'the date is before the completion of the verification'],
      [newUuid(), 'there is no such verification'],
    ] as const;
    const good = await made();
    const { exit, stdout, stderr } = await relations([
      '--ended',
      yesterday,
      ...cases.map(([id]) => id),
      good,
    ]);
    expect([exit, stdout.slice(0, 36)]).toEqual([1, good]);
    for (const [id, reason] of cases) expect(stderr).toContain(`Refused ${id}: ${reason}.\n`);
    expect((await relations(['--ended', dateOf(daysAgo(-2)), good])).stderr).toContain('in the future');
    expect((await relations(['--ended', dateOf(daysAgo(0)), good])).exit).toBe(0);
  });

  test.each([
    ['id,date\nnot an id,2026-01-01', 'Row 1 is not right'],
    [`id,date\n${newUuid()},2026-02-30`, 'Row 1 is not right'],
    [
      `id,date\n${newUuid()},2026-01-01\n${newUuid()}`,
      'The file is no CSV (CSV_RECORD_INCONSISTENT_COLUMNS)',
    ],
    [`{"id":"${newUuid()}","date":"2026-01-01"}\n{"id":`, 'Row 2 is no JSON'],
    ['reference,date\nklant,2026-01-01', 'give --org'],
  ])('refuses the file %j as a whole', async (content, reason) => {
    const { exit, stdout, stderr } = await relations(['--file', '-'], content);
    expect([exit, stdout]).toEqual([64, '']);
    expect(stderr).toContain(reason);
  });

  test.each([
    [[newUuid()]],
    [['--ended', '2026-02-30', newUuid()]],
    [['--ended', '2026-01-01', '--continues', newUuid()]],
    [['--ended', '2026-01-01']],
    [['--ended', '2026-01-01', '--reference', 'klant']],
    [['--ended', '2026-01-01', 'not an id']],
    [['--file', '/dev/null', newUuid()]],
    [['--days', 'soon']],
  ])('refuses the arguments %j', async (args) => {
    expect(await relations(args)).toMatchObject({ exit: 64, stdout: '' });
  });
});

describe('the list', () => {
  test('has what is removed within 90 days, the next one first, and why', async () => {
    await rows`update verifications set completed_at = now(), relation_ended_at = null`;
    const removedIn = (days: number) => new Date(Date.now() - keptMs.completed_verifications + days * day);
    const lastDay = dateOf(removedIn(20));
    const [later, soon, ended] = [
      await made({ completedAt: removedIn(80), reference: 'klant 1' }),
      await made({ completedAt: removedIn(5) }),
      await made({ completedAt: removedIn(-300) }),
    ];
    await rows`update verifications set relation_ended_at = ${endOf(lastDay)} where id = ${ended}`;
    await made({ completedAt: removedIn(91) });
    await made({ completedAt: removedIn(5), environment: 'sandbox' });
    const continuing = await made({ completedAt: removedIn(5) });
    await relations(['--continues', continuing]);

    const listed = (await relations(['--org', 'Acme', '--json', '--days', '90'])).stdout.trim().split('\n');
    const found = listed.map((line) => JSON.parse(line));
    expect(found.map(({ id, relation_ended_on }) => [id, relation_ended_on])).toEqual([
      [soon, null],
      [ended, lastDay],
      [later, null],
    ]);
    expect(found.at(-1)).toEqual({
      ...{ id: later, organisation: 'Acme', reference: 'klant 1', relation_ended_on: null },
      removed_after: expect.stringMatching(new RegExp(`^${dateOf(daysAgo(-80))}T`)),
    });
    const { stdout } = await relations([]);
    expect(stdout).toMatch(new RegExp(`${later}  no end reported  Acme  "klant 1"\n`));
    expect((await relations(['--org', 'Unknown'])).exit).toBe(69);
  });
});
