import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { inspectHistory } from '#services/inspection/history.ts';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';
import { settle } from '#test/support/people/as-operator.ts';

const harness = await startHarness({ worker: false });
const program = new URL('../../../worker/commands/organisations.ts', import.meta.url);
const dataDir = newFolder();

async function organisations(...args: string[]) {
  return ended(runProgram(program, args, { DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir }));
}

const addressAccepted = 'an https address, or for sandbox an http address of this machine';

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
      display_name: null,
      purpose: null,
      contact: null,
      privacy_url: null,
      colour: null,
      return_url: null,
      languages: 'nl,en',
      offers_other_way: false,
      evidence_days: 30,
      erase_by_key: false,
      cover_portrait: true,
      review_eyes: 1,
      paused: false,
    });
  });

  test('changes several settings at once and says from what to what', async () => {
    await harness.key({ org: 'Changed' });
    expect(
      await organisations(
        ...['--org', 'Changed', '--set', 'decisions=machine_may_decide', 'evidence_days=8'],
        ...['contact=help@changed.example = 020 555', 'privacy_url=https://changed.example/privacy'],
      ),
    ).toEqual({
      exit: 0,
      stdout: [
        'decisions: people -> machine_may_decide',
        'contact: (not set) -> help@changed.example = 020 555',
        'privacy_url: (not set) -> https://changed.example/privacy',
        'evidence_days: 30 -> 8\n',
      ].join('\n'),
      stderr: '',
    });
    expect(await settingsOf('Changed')).toMatchObject({ decisions: 'machine_may_decide', evidence_days: 8 });
    expect((await organisations('--org', 'Changed', '--set', 'contact=')).stdout).toBe(
      'contact: help@changed.example = 020 555 -> (not set)\n',
    );
    expect((await organisations('--org', 'Changed', '--set', 'evidence_days=8')).stdout).toContain(
      'Nothing changed',
    );
  });

  test('warns while an organisation with a live key has not said who asks and why', async () => {
    await harness.key({ org: 'Silent', environment: 'live' });
    const warned = await organisations('--org', 'Silent', '--json');
    expect(JSON.parse(warned.stdout)).toMatchObject({ purpose: null });
    expect(warned.stderr).toContain('there is a live key: purpose, contact and privacy_url.');
    const set = ['--set', 'purpose=to open an account', 'contact=help@silent.example'];
    expect((await organisations('--org', 'Silent', ...set)).stderr).toContain('a live key: privacy_url.');
    const last = await organisations('--org', 'Silent', '--set', 'privacy_url=https://silent.example/');
    expect([last.exit, last.stderr]).toEqual([0, '']);
    await harness.key({ org: 'Only tries' });
    expect((await organisations('--org', 'Only tries')).stderr).toBe('');
  });

  test('warns while two must agree and no two could', async () => {
    await harness.key({ org: 'Alone' });
    const two = await organisations('--org', 'Alone', '--set', 'review_eyes=2');
    expect([two.exit, two.stdout]).toEqual([0, 'review_eyes: 1 -> 2\n']);
    expect(two.stderr).toContain('today no two can');
    expect((await organisations('--org', 'Alone', '--set', 'review_eyes=1')).stderr).toBe('');
  });

  test('an unknown organisation has an error of its own', async () => {
    const unknown = { exit: 69, stdout: '', stderr: 'There is no organisation of that name.\n' };
    expect(await organisations('--org', 'Unknown')).toEqual(unknown);
    expect(await organisations('--org', 'Unknown', '--set', 'evidence_days=20')).toEqual(unknown);
  });

  test.each([
    ['decisions=machine', 'decisions must be people, machine_may_reject or machine_may_decide.'],
    ['evidence_days=366', 'evidence_days must be a whole number from 7 to 365.'],
    ['evidence_days=1e1', 'evidence_days must be a whole number from 7 to 365.'],
    ['evidence_days=6', 'evidence_days must be a whole number from 7 to 365.'],
    ['offers_other_way=yes', 'offers_other_way must be true or false.'],
    ['privacy_url=http://a.example', 'privacy_url must be an https address, or empty to remove it.'],
    ['privacy_url=https://me@a.example', 'privacy_url must be an https address, or empty to remove it.'],
    ['colour=red', 'colour must be a colour as #rrggbb, or empty to remove it.'],
    ['colour=#fff', 'colour must be a colour as #rrggbb, or empty to remove it.'],
    ['colour=#0a5c8a;}body{display:none', 'colour must be a colour as #rrggbb, or empty to remove it.'],
    ['return_url=javascript:alert(1)', `return_url must be ${addressAccepted}, or empty to remove it.`],
    ['return_url=http://shop.example/', `return_url must be ${addressAccepted}, or empty to remove it.`],
    ['return_url=http://me@localhost/', `return_url must be ${addressAccepted}, or empty to remove it.`],
    ['return_url=data:text/html,x', `return_url must be ${addressAccepted}, or empty to remove it.`],
    [
      'display_name=a\u202eb',
      'display_name must be one line of at most 200 characters, or empty to remove it.',
    ],
    ['languages=en,nl', 'languages must be "nl,en", "nl" or "en".'],
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

describe('npm run organisations -- --logo', () => {
  const folder = newFolder();
  const written = async (name: string, bytes: Buffer | string) => {
    const file = join(folder, name);
    await writeFile(file, bytes);
    return file;
  };
  const drawn = () =>
    sharp({ create: { width: 900, height: 300, channels: 4, background: '#0a5c8a80' } })
      .png()
      .toBuffer();

  test('draws the picture anew, stores it small, and removes it again', async () => {
    const { organisationId: id } = await harness.key({ org: 'Drawn' });
    const file = await written('logo.png', await drawn());
    const stored = () => harness.rows`select picture from organisation_logos where org_id = ${id}`;
    expect(await organisations('--org', 'Drawn', '--logo', file)).toMatchObject({
      exit: 0,
      stdout: 'logo: changed\n',
    });
    const [{ picture } = { picture: Buffer.alloc(0) }] = (await stored()) as { picture: Buffer }[];
    expect(await sharp(picture).metadata()).toMatchObject({
      format: 'png',
      width: 480,
      height: 160,
      hasAlpha: true,
    });
    expect(await organisations('--org', 'Drawn', '--logo', 'none')).toMatchObject({
      exit: 0,
      stdout: 'logo: removed\n',
    });
    expect(await stored()).toEqual([]);
    expect((await linesOf(id)).map(({ data }) => (data as { changed: unknown }).changed)).toEqual([
      [{ setting: 'logo' }],
      [{ setting: 'logo' }],
    ]);
    expect(await faults()).toEqual([]);
  });

  test('refuses an SVG, a text, a tiny picture and a missing file with a sentence', async () => {
    await harness.key({ org: 'Plain' });
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><script>alert(1)</script></svg>';
    const tiny = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const [name, bytes, sentence] of [
      ['logo.svg', svg, 'The logo must be a PNG, JPEG or WebP.'],
      ['logo.png', 'no picture', 'The logo must be a PNG, JPEG or WebP.'],
      ['tiny.png', await tiny, 'The logo must be at least 32 by 16 pixels.'],
    ] as const) {
      const run = await organisations('--org', 'Plain', '--logo', await written(name, bytes));
      expect([run.exit, run.stdout], name).toEqual([64, '']);
      expect(run.stderr, name).toContain(sentence);
    }
    const missing = await organisations('--org', 'Plain', '--logo', join(folder, 'nowhere.png'));
    expect(missing.stderr).toContain('cannot be read (ENOENT)');
    expect((await organisations('--org', 'Nobody', '--logo', 'none')).exit).toBe(69);
    expect(await harness.rows`select 1 from organisation_logos`).toEqual([]);
  });
});

test('each change is a line in the chain of the organisation, with values of enums and numbers and without texts', async () => {
  const { organisationId: id } = await harness.key({ org: 'Recorded' });
  await settle(harness.store, 'Recorded', { decisions: 'machine_may_reject', contact: 'a secret' });
  await settle(harness.store, 'Recorded', { evidenceDays: 8 });
  await settle(harness.store, 'Recorded', { evidenceDays: 8 });
  const lines = await linesOf(id);
  expect(lines.map(({ type }) => type)).toEqual(['organisation.changed', 'organisation.changed']);
  expect(lines[0]?.data).toEqual({
    actor: { kind: 'operator' },
    changed: [{ setting: 'decisions', from: 'people', to: 'machine_may_reject' }, { setting: 'contact' }],
    settings: {
      decisions: 'machine_may_reject',
      offers_other_way: false,
      evidence_days: 30,
      languages: 'nl,en',
      erase_by_key: false,
      cover_portrait: true,
      review_eyes: 1,
      paused: false,
    },
  });
  expect(lines[1]?.data).toMatchObject({ changed: [{ setting: 'evidence_days', from: 30, to: 8 }] });
  expect(await faults()).toEqual([]);
});

test('the inspection finds a setting that somebody changed without the command', async () => {
  const { organisationId: changed } = await harness.key({ org: 'Changed by hand' });
  const { organisationId: recorded } = await harness.key({ org: 'Changed again by hand' });
  await settle(harness.store, 'Changed again by hand', { decisions: 'machine_may_reject' });
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
    [10, 11, 12, 13].map((evidenceDays) => settle(harness.store, 'At once', { evidenceDays })),
  );
  expect(await faults()).toEqual([]);
});
