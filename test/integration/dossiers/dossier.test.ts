import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { newUuid } from '#platform/crypto/crypto.ts';
import { keptMs } from '#policy/retention.ts';
import type { Dossier } from '#services/dossiers/dossier.ts';
import { dossierText } from '#services/dossiers/sign.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { lineHash } from '#services/ledger/append.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { doubtful, eventually, otherSigner, signer, startOffice, walkedThrough } from './support.ts';

const harness = await startHarness({ documents: doubtful });
const organisation = 'Notariskantoor Céleste Gülşah Łoś & Zn.';
const { key } = await harness.key({ environment: 'live', org: 'office 7' });
await harness.settings({ displayName: organisation, evidenceDays: 12 }, 'office 7');
const receiver = await startReceiver({ status: 200 });
await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
const office = await startOffice(harness);

const linesOf = (id: string) =>
  harness.rows<{ sequence: number; type: string; data: object }>`
    select sequence, type, data from ledger where subject_id = ${id} order by sequence`;

describe('the dossier of a live verification', () => {
  let id: string;
  let early: Dossier;
  let keyBeforeAnyRoot: string;
  let dossier: Dossier;
  beforeAll(async () => {
    id = await walkedThrough(harness, key);
    await receiver.waitFor(1);
    await vi.waitFor(
      async () =>
        expect(await harness.rows`select 1 from deliveries where status = 'delivered'`).toHaveLength(1),
      eventually,
    );
    early = await office.made(id);
    keyBeforeAnyRoot = await readFile(join(office.folder, `${signer.fingerprint}.pem`), 'utf8');
    await office.sign('2026-11-20');
    dossier = await office.made(early.header.dossier_ref);
  });

  test('has the header, the consent, the artefacts, the checks, the verdict, the delivery and the retention', async () => {
    expect(dossier.header).toMatchObject({
      ...{ verification_id: id, organisation, environment: 'live', method: 'document_only' },
      ...{ status: 'completed', reference: 'order 7' },
    });
    expect(dossier.consents).toEqual([
      { line: 2, at: dossier.ledger[1]?.at, version: expect.any(Number), language: 'en' },
    ]);
    expect(dossier.artefacts).toEqual([
      expect.objectContaining({
        ...{ kind: 'passport_page', sha256: expect.stringMatching(/^[\da-f]{64}$/), line: 3 },
        ...{ state: 'deleted', deletion_line: 5 },
      }),
      expect.objectContaining({
        ...{ kind: 'masked_front', sha256: expect.stringMatching(/^[\da-f]{64}$/), line: 5, state: 'kept' },
        ...{ deletion_line: null },
      }),
    ]);
    expect(dossier.checks.map(({ engine }) => engine)).toEqual([
      null,
      ...Array(3).fill({
        name: 'document-reader',
        version: expect.stringMatching(/^\d+\.\d+\.\d+ \(@gutenye\/ocr-models [\d.]+, .*mrz [\d.]+\)$/),
      }),
    ]);
    expect(dossier.checks.map(({ kind, result }) => `${kind} ${result}`)).toContain(
      'mrz_check_digits passed',
    );
    expect(dossier.verdict).toMatchObject({
      ...{ line: 4, outcome: 'review', reviewed: false, decided_by: { kind: 'machine' } },
      reasons: expect.arrayContaining([{ id: 'person_assesses', text: expect.stringContaining('a person') }]),
    });
    expect(dossier.deliveries).toEqual([
      expect.objectContaining({
        ...{ event_type: 'verification.completed', status: 'delivered', trigger: 'event' },
        attempts: [expect.objectContaining({ number: 1, outcome: 'delivered', response_status: 200 })],
      }),
    ]);
    const until = (what: string) => dossier.retention.find((each) => each.what === what)?.until;
    const completed = Date.parse(dossier.header.completed_at ?? '');
    expect(Date.parse(until('verification') ?? '')).toBe(completed + keptMs.completed_verifications);
    expect(until('pictures')).toBe(dossier.artefacts[1]?.kept_until);
    const [sent] = await harness.rows<{
      at: Date;
    }>`select submitted_at as at from verifications where id = ${id}`;
    expect(Date.parse(until('pictures') ?? '') - Number(sent?.at)).toBe(12 * 86_400_000);
  });

  test('tells of each picture how the browser says that it came', async () => {
    const sources = { card_front: 'live_camera', card_back: 'capture_input' } as const;
    const other = await walkedThrough(harness, key, { kinds: ['card_front', 'card_back'], sources });
    const came = (from: Dossier) =>
      Object.fromEntries(from.artefacts.map(({ kind, source }) => [kind, source]));
    expect(came(await office.made(other))).toMatchObject(sources);
    expect(came(dossier)).toMatchObject({ passport_page: 'upload' });
  });

  test('is not anchored yet before the root of the day, and says so', async () => {
    expect(await office.verify(dossierText(early))).toEqual({
      status: 3,
      stdout: expect.stringMatching(/^VALID: all 5 lines .*\nlines 1 to 5: not anchored yet/),
    });
  });

  test('comes with the public key, also before the first root; where no file can be written, the key is printed', async () => {
    expect(keyBeforeAnyRoot).toBe(signer.publicKey);
    const { id: other } = (await call(harness, 'POST', '/v1/verifications', { key })).json;
    const blocked = join(office.folder, 'blocked');
    await mkdir(join(blocked, `${signer.fingerprint}.pem`), { recursive: true });
    const { status, stdout, stderr } = await office.runWith({ LEDGER_DIR: blocked }, 'dossier.ts', other);
    const [, printed = ''] = /Public key: ([\w+/=]+)\n/.exec(stderr) ?? [];
    expect(status).toBe(0);
    expect(await office.verify(stdout, printed)).toMatchObject({ status: 3 });
  });

  test('is a look at evidence, which the chain notes, and the next dossier shows', async () => {
    expect(early.ledger.map(({ type }) => type)).not.toContain('dossier.made');
    expect(dossier.ledger.at(-1)).toMatchObject({
      ...{ sequence: 6, type: 'dossier.made' },
      data: { actor: { kind: 'operator' }, format: 'json', lines: 5 },
    });
    expect((await linesOf(id)).at(-1)).toMatchObject({ sequence: 7, type: 'dossier.made' });
  });

  test('is valid once the root is signed, with the key as a file or in base64', async () => {
    const valid = {
      status: 0,
      stdout: expect.stringContaining('lines 1 to 6: the signed root of 2026-11-20 vouches for them'),
    };
    const pem = await readFile(office.keyFile, 'utf8');
    const der = pem.split('\n').slice(1, -2).join('');
    const raw = Buffer.from(der, 'base64').subarray(-32).toString('base64');
    for (const given of [office.keyFile, join(office.folder, `${signer.fingerprint}.pem`), der, raw])
      expect(await office.verify(dossierText(dossier), given)).toEqual(valid);
  });

  test('names the lines that came after the root', async () => {
    const next = await office.made(id);
    const { status, stdout } = await office.verify(dossierText(next));
    expect(status).toBe(3);
    expect(stdout).toContain('lines 1 to 6: the signed root of 2026-11-20 vouches for them');
    expect(stdout).toContain('line 7: not anchored yet');
  });

  test.each<[what: string, spoil: (text: string) => string, first: string]>([
    [
      'one byte of a line that is changed',
      (text) => text.replace('"trigger": "started"', '"trigger": "startet"'),
      'BROKEN at line 2 (verification.started): it was changed',
    ],
    [
      'one line that is dropped',
      (text) => spoiltLedger(text, (lines) => lines.filter((_, n) => n !== 2)),
      'BROKEN at line 3: it is missing: the next is line 4',
    ],
    [
      'two lines that are swapped',
      (text) => spoiltLedger(text, ([a, b, c, ...rest]) => [a, c, b, ...rest]),
      'BROKEN at line 2: line 3 is in its place: lines were swapped',
    ],
    [
      'the end that is cut off',
      (text) => spoiltLedger(text, (lines) => lines.slice(0, 3)),
      'BROKEN at line 4: it is missing: the end was cut off (3 of 6 lines are left)',
    ],
    [
      'one byte of the header',
      (text) => text.replace('"reference": "order 7"', '"reference": "order 8"'),
      'BROKEN at header.reference: it was changed',
    ],
  ])('%s: the command names it', async (_, spoil, first) => {
    const { status, stdout } = await office.verify(spoil(dossierText(dossier)));
    expect(status).toBe(1);
    expect(stdout.split('\n')[0]).toContain(first);
  });

  test('another key: the command names it', async () => {
    const { status, stdout } = await office.verify(
      dossierText(dossier),
      otherSigner.publicKey.split('\n')[1] ?? '',
    );
    expect(status).toBe(1);
    expect(stdout).toContain(`key ${signer.fingerprint} signed, and you trust ${otherSigner.fingerprint}`);
  });

  test('holds after an erasure', async () => {
    await eraseByOperator(harness.ctx, id);
    const erased = await office.made(id);
    expect(erased.header.reference).toBeNull();
    expect(erased.artefacts[0]).toMatchObject({ state: 'deleted', sha256: dossier.artefacts[0]?.sha256 });
    expect(JSON.stringify(erased)).not.toContain('order 7');
    expect((await office.verify(dossierText(erased))).status).toBe(3);
  });

  test('leaves rows and ledger in agreement', async () => {
    const faults: string[] = [];
    await inspectHistory({ store: harness.store, roots: undefined }, (fault, each) => {
      faults.push(`${fault} ${each}`);
    });
    expect(faults).toEqual([]);
  });
});

const spoiltLedger = (text: string, spoil: (lines: Dossier['ledger']) => unknown[]): string => {
  const dossier: Dossier = JSON.parse(text);
  return dossierText({ ...dossier, ledger: spoil(dossier.ledger) as Dossier['ledger'] });
};

test('a sandbox verification that was completed at its creation has a dossier too', async () => {
  const { key: sandboxKey } = await harness.key();
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: sandboxKey });
  const { status } = await office.verify(dossierText(await office.made(json.id)));
  expect(status).toBe(3);
});

test('a verification that nobody finished has a dossier without a verdict', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const dossier = await office.made(json.id);
  expect(dossier).toMatchObject({ verdict: null, checks: [], header: { status: 'pending' } });
  expect((await office.verify(dossierText(dossier))).status).toBe(3);
});

test('a picture that housekeeping deleted is named with its line', async () => {
  const id = await walkedThrough(harness, key);
  await harness.rows`update evidence set expires_at = now() - interval '1 second' where verification_id = ${id}`;
  await purgeExpired(
    { store: harness.housekeepingStore, clock: harness.ctx.clock },
    { what: 'evidence', rowsMax: 100 },
  );
  const dossier = await office.made(id);
  expect(dossier.artefacts).toEqual([
    expect.objectContaining({ state: 'deleted', deletion_line: 5, kept_until: null, line: 3 }),
    expect.objectContaining({ state: 'deleted', deletion_line: 6, kept_until: null, line: 5 }),
  ]);
  expect((await office.verify(dossierText(dossier))).status).toBe(3);
});

describe('somebody who edits the database is found by the dossier', () => {
  const edited = async (edit: (id: string) => Promise<unknown>) => {
    const id = await walkedThrough(harness, key);
    await office.sign(nextDay());
    await edit(id);
    const { status, stdout, stderr } = await office.run('dossier.ts', id);
    expect(status).toBe(1);
    expect((await office.verify(stdout)).status).toBe(1);
    return stderr;
  };
  let days = 20;
  const nextDay = () => {
    days += 1;
    return `2026-11-${days}`;
  };

  test('who edits the row', async () => {
    const said = await edited(
      (id) => harness.rows`
        update verifications set verdict = jsonb_set(verdict::jsonb, '{outcome}', '"approved"') where id = ${id}`,
    );
    expect(said).toContain('BROKEN at verdict.outcome: it is not what the lines say');
  });

  test('who cuts off the end', async () => {
    const said = await edited(
      (id) => harness.rows`delete from ledger where subject_id = ${id} and sequence = 5`,
    );
    expect(said).toContain('BROKEN at line 5: it is missing: the signed root of 2026-11-22 vouches for it');
  });

  test('who rewrites the end with the right hash, and the row', async () => {
    const said = await edited(rewritten);
    expect(said).toContain(
      'BROKEN at line 5: it is not the line for which the signed root of 2026-11-23 vouches',
    );
  });
});

/** Makes an approval of the review, with correct hashes. */
async function rewritten(id: string): Promise<void> {
  type Row = { data: { verdict: object }; previous_hash: Buffer; created_at: Date; type: string };
  const [line] = await harness.rows<Row>`select * from ledger where subject_id = ${id} and sequence = 5`;
  if (line === undefined) throw new Error('no line');
  const data = { ...line.data, verdict: { ...line.data.verdict, outcome: 'approved' } };
  const previous = { sequence: 4, hash: line.previous_hash };
  const hash = lineHash(previous, { subjectId: id, type: line.type, data, at: line.created_at });
  await harness.rows`
    update ledger set data = ${JSON.stringify(data)}::jsonb, hash = ${hash}
    where subject_id = ${id} and sequence = 5`;
  await harness.rows`
    update verifications set verdict = jsonb_set(verdict::jsonb, '{outcome}', '"approved"') where id = ${id}`;
}

describe('no dossier is made, and the operator reads why', () => {
  test.each([newUuid(), 'dos_unknown', "'; drop table ledger; --"])(
    'of an id that is unknown: %s',
    async (wanted) => {
      expect(await office.run('dossier.ts', wanted)).toEqual({
        ...{ status: 69, stdout: '', stderr: 'There is no verification with this id or dossier_ref.\n' },
      });
    },
  );

  test('of a verification that was removed', async () => {
    const id = await walkedThrough(harness, key);
    await harness.rows`delete from ledger where subject_id = ${id} and sequence < 5`;
    await harness.rows`update ledger set type = 'verification.removed' where subject_id = ${id}`;
    await harness.rows`delete from evidence where verification_id = ${id}`;
    await harness.rows`update events set verification_id = null where verification_id = ${id}`;
    await harness.rows`delete from verifications where id = ${id}`;
    const { status, stderr } = await office.run('dossier.ts', id);
    expect(status).toBe(69);
    expect(stderr).toContain('This verification was removed on 20');
  });

  test('without the key of the ledger', async () => {
    const { status, stderr } = await office.runWith(
      { LEDGER_KEY: '', LEDGER_DIR: '' },
      'dossier.ts',
      newUuid(),
    );
    expect(status).toBe(78);
    expect(stderr).toContain('LEDGER_KEY and LEDGER_DIR are not set');
  });

  test.each([[[]], [['a', 'b']], [['a', '--format', 'xml']], [['a', '--colour']]])(
    'with arguments that it does not know: %j',
    async (args) => {
      expect((await office.run('dossier.ts', ...args)).status).toBe(64);
    },
  );
});

describe('the check', () => {
  test.each([
    { args: ['nowhere.json', '--key', 'x'], says: 'neither a file with a public Ed25519 key' },
    { args: ['nowhere.json', '--key', Buffer.alloc(32, 9).toString('base64')], says: 'ENOENT' },
    { args: ['nowhere.json'], says: 'options follow two dashes' },
    { args: [], says: 'Give the file of one dossier' },
  ])('says what is wrong with $args', async ({ args, says }) => {
    const { status, stdout } = await office.run('verify-dossier.mjs', ...args);
    expect(status).toBe(64);
    expect(stdout).toContain(says);
  });
});

test('a PDF is written, which the check refuses with words about its attachment', async () => {
  const id = await walkedThrough(harness, key);
  const file = join(office.folder, 'out.pdf');
  expect(await office.run('dossier.ts', id, '--format', 'pdf', '--out', file)).toMatchObject({
    status: 0,
    stdout: '',
  });
  const { status, stdout } = await office.verify(await readFile(file));
  expect(status).toBe(1);
  expect(stdout).toContain('this is the PDF. It has the dossier as an attachment');
  expect((await linesOf(id)).at(-1)).toMatchObject({ data: { format: 'pdf' } });
});

test('the file can be read by its owner only', async () => {
  const id = await walkedThrough(harness, key);
  const file = join(office.folder, 'out.json');
  expect(await office.run('dossier.ts', id, '--out', file)).toMatchObject({ status: 0, stdout: '' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
