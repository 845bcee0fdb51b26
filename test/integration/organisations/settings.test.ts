import { describe, expect, test } from 'vitest';
import { inspectHistory } from '#services/inspection/history.ts';
import { changeSettings } from '#services/organisations/change-settings.ts';
import { newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const program = new URL('../../../worker/commands/organisations.ts', import.meta.url);
const dataDir = newFolder();

async function organisations(...args: string[]) {
  const run = runProgram(program, args, { DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir });
  const [exit, stdout, stderr] = await Promise.all([run.code, run.stdout, run.stderr]);
  return { exit, stdout, stderr };
}

const settingsOf = async (org: string) => JSON.parse((await organisations('--org', org, '--json')).stdout);
const linesOf = (id: string) =>
  harness.rows`select type, data from ledger where subject_id = ${id} order by sequence`;

async function faults(): Promise<[string, string][]> {
  const found: [string, string][] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => found.push(fault));
  return found;
}

describe('npm run organisations', () => {
  test('shows every setting with its value and its meaning; without a change people decide', async () => {
    await harness.key({ org: 'Shown' });
    const { exit, stdout } = await organisations('--org', 'Shown');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^decisions +people +Who decides on documents in live$/m);
    expect(stdout).toMatch(/^contact +\(not set\) +/m);
    expect(await settingsOf('Shown')).toEqual({
      decisions: 'people',
      purpose: null,
      contact: null,
      privacy_url: null,
      offers_other_way: false,
      evidence_days: 30,
      erase_by_key: false,
      cover_portrait: true,
      review_eyes: 1,
    });
  });

  test('changes several settings at once and says from what to what', async () => {
    await harness.key({ org: 'Changed' });
    expect(
      await organisations(
        ...['--org', 'Changed', '--set', 'decisions=machine_may_decide', 'evidence_days=3'],
        ...['contact=help@changed.example = 020 555', 'privacy_url=https://changed.example/privacy'],
      ),
    ).toEqual({
      exit: 0,
      stdout: [
        'decisions: people -> machine_may_decide',
        'contact: (not set) -> help@changed.example = 020 555',
        'privacy_url: (not set) -> https://changed.example/privacy',
        'evidence_days: 30 -> 3\n',
      ].join('\n'),
      stderr: '',
    });
    expect(await settingsOf('Changed')).toMatchObject({ decisions: 'machine_may_decide', evidence_days: 3 });
    expect((await organisations('--org', 'Changed', '--set', 'contact=')).stdout).toBe(
      'contact: help@changed.example = 020 555 -> (not set)\n',
    );
    expect((await organisations('--org', 'Changed', '--set', 'evidence_days=3')).stdout).toContain(
      'Nothing changed',
    );
  });

  test('an unknown organisation has an error of its own', async () => {
    const unknown = { exit: 69, stdout: '', stderr: 'There is no organisation of that name.\n' };
    expect(await organisations('--org', 'Unknown')).toEqual(unknown);
    expect(await organisations('--org', 'Unknown', '--set', 'evidence_days=20')).toEqual(unknown);
  });

  test.each([
    ['decisions=machine', 'decisions must be people, machine_may_reject or machine_may_decide.'],
    ['evidence_days=366', 'evidence_days must be a whole number from 1 to 365.'],
    ['evidence_days=1e1', 'evidence_days must be a whole number from 1 to 365.'],
    ['evidence_days=6', 'evidence_days must be at least 7 where people decide.'],
    ['offers_other_way=yes', 'offers_other_way must be true or false.'],
    ['privacy_url=http://a.example', 'privacy_url must be an https address, or empty to remove it.'],
    ['privacy_url=https://me@a.example', 'privacy_url must be an https address, or empty to remove it.'],
    ['contact=a\nb', 'contact must be one line of at most 200 characters, or empty to remove it.'],
    ['name=Other', 'Give a setting as name=value.'],
    ['contact', 'Give a setting as name=value.'],
  ])('refuses %s with a sentence, and changes nothing', async (assignment, sentence) => {
    await harness.key({ org: 'Refused' });
    const { exit, stdout, stderr } = await organisations('--org', 'Refused', '--set', assignment);
    expect([exit, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`${sentence}`);
    expect(await settingsOf('Refused')).toMatchObject({ decisions: 'people', evidence_days: 30 });
  });

  test.each([[[]], [['--org', 'Refused', 'evidence_days=20']], [['--all']]])(
    'refuses the arguments %j',
    async (args) => {
      expect(await organisations(...args)).toMatchObject({ exit: 64, stdout: '' });
    },
  );
});

test('each change is a line in the chain of the organisation, with values of enums and numbers and without texts', async () => {
  const { organisationId: id } = await harness.key({ org: 'Recorded' });
  await changeSettings(harness.store, 'Recorded', { decisions: 'machine_may_reject', contact: 'a secret' });
  await changeSettings(harness.store, 'Recorded', { evidenceDays: 8 });
  await changeSettings(harness.store, 'Recorded', { evidenceDays: 8 });
  const lines = await linesOf(id);
  expect(lines.map(({ type }) => type)).toEqual(['organisation.changed', 'organisation.changed']);
  expect(lines[0]?.data).toEqual({
    actor: { kind: 'operator' },
    changed: [{ setting: 'decisions', from: 'people', to: 'machine_may_reject' }, { setting: 'contact' }],
    settings: {
      decisions: 'machine_may_reject',
      offers_other_way: false,
      evidence_days: 30,
      erase_by_key: false,
      cover_portrait: true,
      review_eyes: 1,
    },
  });
  expect(lines[1]?.data).toMatchObject({ changed: [{ setting: 'evidence_days', from: 30, to: 8 }] });
  expect(await faults()).toEqual([]);
});

test('the inspection finds a setting that somebody changed without the command', async () => {
  const { organisationId: changed } = await harness.key({ org: 'Changed by hand' });
  const { organisationId: recorded } = await harness.key({ org: 'Changed again by hand' });
  await changeSettings(harness.store, 'Changed again by hand', { decisions: 'machine_may_reject' });
  await harness.rows`update organisations set decisions = 'machine_may_decide' where id in (${changed}, ${recorded})`;
  const [first = '', second = ''] = [changed, recorded].sort();
  expect(await faults()).toEqual([
    ['differs_from_ledger', first],
    ['differs_from_ledger', second],
  ]);
  await harness.rows`update organisations set decisions = 'people' where id = ${changed}`;
  await harness.rows`update organisations set decisions = 'machine_may_reject' where id = ${recorded}`;
  expect(await faults()).toEqual([]);
});

test('two changes at once keep each other, and the chain holds', async () => {
  await harness.key({ org: 'At once' });
  await Promise.all(
    [10, 11, 12, 13].map((evidenceDays) => changeSettings(harness.store, 'At once', { evidenceDays })),
  );
  expect(await faults()).toEqual([]);
});
