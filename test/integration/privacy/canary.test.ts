import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Deployment, missing, startDeployment } from '#test/integration/operations/deployment.ts';
import { runShell } from '#test/integration/operations/page.ts';
import { postgresPrograms } from '#test/support/full-postgres.ts';
import { call } from '#test/support/harness.ts';
import { person } from '#test/support/person.ts';
import { anyPicture } from '#test/support/picture.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { plant } from '#test/support/run-logs.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { bsnIsValid, spellingsIn } from './markers.ts';

/**
 * A canary person walks through live on a real deployment: API and worker with their roles, a Temporal with its database in a file, and
 * a receiver that repeats what it gets. After the erasure nothing of the person is left anywhere.
 */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** Nine digits for which the test of eleven holds. The document has them as its number, in print and in the zone. */
const bsn = '731904527';
const surname = 'KANARIEVOGELAAR';
const reference = 'kanarie-reference-91f3';
const browser = 'KanarieBrowser/91.3 (of a person)';
const texts = { bsn, surname, reference, browser };
for (const text of [surname, reference, browser]) plant(text);

let deployment: Deployment;
let key: string;
beforeAll(async () => {
  if (missing !== undefined) return;
  deployment = await startDeployment();
  deployment.env.SECRETS_KEY = (await deployment.run('make-key')).trim();
  await deployment.run('roles');
  await deployment.run('migrate');
  await deployment.startAll();
  key = JSON.parse(await commandOf('keys -- create --org Acme --environment live --json')).key;
});
afterAll(() => deployment?.stop());

async function commandOf(words: string): Promise<string> {
  const { status, output } = await runShell(`npm run --silent ${words}`, deployment.env);
  expect(status, output).toBe(0);
  return output;
}
const ask = (method: 'GET' | 'POST', path: string, body?: object, headers = {}) =>
  call({ url: deployment.url }, method, path, { key, body, headers });

async function walkedThrough(): Promise<string> {
  const receiver = await startReceiver((_, { body }) => ({ status: 200, body }));
  await ask('POST', '/v1/webhooks', { url: receiver.url });
  const body = { method: 'document_liveness', reference };
  const { json } = await ask('POST', '/v1/verifications', body, { 'idempotency-key': 'canary' });
  const user = person(deployment, json.verify_url, 'nl', { 'user-agent': browser });
  await user.start();
  const { front } = drawn({ format: 'TD3', person: { ...eriksson, surname, number: bsn } });
  await user.upload('passport_page', await photograph(front), `${surname}.jpg`);
  await user.upload('selfie', await anyPicture(), 'face.jpg');
  await user.submit();
  const isDelivered = async () =>
    expect(await deployment.query("select 1 from deliveries where status = 'delivered'")).toHaveLength(1);
  await vi.waitFor(isDelivered, { timeout: 120_000, interval: 250 });
  return json.id;
}

const backup = (file: string) => readFileSync(join(deployment.env.BACKUPS ?? '', file));
const dump = () =>
  execFileSync(join(postgresPrograms ?? '', 'pg_dump'), [`${deployment.env.OWNER_DATABASE_URL}`], {
    maxBuffer: 1 << 28,
  });
/** Everything that Temporal has on disk, with its write-ahead log. */
const filesOfTemporal = () =>
  Buffer.concat(globSync(`${deployment.temporalFile}*`).map((file) => readFileSync(file)));
/** The logs of all processes of this test, and those of the servers. */
const logs = () => {
  const ofProcesses = globSync('test-integration-privacy-canary*.log', { cwd: inject('logFolder') });
  const ofServers = globSync('*.log', { cwd: deployment.env.HOME ?? '' });
  expect([ofProcesses.length, ofServers.length]).toEqual([expect.toSatisfy((n) => n > 1), 2]);
  return Buffer.concat([
    ...ofProcesses.map((file) => readFileSync(join(inject('logFolder'), file))),
    ...ofServers.map((file) => readFileSync(join(deployment.env.HOME ?? '', file))),
  ]);
};

type Markers = Record<string, string | Buffer>;
/** The names of the markers that occur in these bytes, in whatever spelling. */
const found = (markers: Markers, bytes: Buffer) =>
  Object.entries(markers)
    .filter(([, marker]) => spellingsIn(bytes, marker))
    .map(([name]) => name);

test('after the erasure of a person nothing of them is in a dump, in a log or in Temporal, and the dossier says what was erased', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  expect(bsnIsValid(bsn)).toBe(true);
  const id = await walkedThrough();
  const own = { VERIFICATION_ID: id };
  await deployment.run('export', own);
  const held = JSON.parse(backup('person.json').toString());
  type Picture = { kind: string; jpeg_base64: string };
  const pictures: Markers = Object.fromEntries(
    held.evidence.map(({ kind, jpeg_base64 }: Picture) => [
      kind,
      Buffer.from(jpeg_base64, 'base64').subarray(2_000, 2_048),
    ]),
  );
  expect(Object.keys(pictures).sort()).toEqual(['masked_front', 'selfie']);
  const [row] = await deployment.query(
    `select (select substr(picture, 100, 48) from evidence where verification_id = '${id}' and kind = 'selfie') as face,
      (select value from data_keys where verification_id = '${id}') as "dataKey",
      (select substr(answer, 20, 48) from delivery_attempts where answer is not null limit 1) as answer`,
  );
  const sealed = row as { face: Buffer; dataKey: Buffer; answer: Buffer };
  const markers: Markers = { ...texts, ...pictures, ...sealed };

  // What is found before shows that the search finds. Names and numbers on a document are stored nowhere.
  expect(found(markers, dump()).sort()).toEqual(['answer', 'dataKey', 'face', 'reference']);

  await commandOf(`erase -- ${id}`);
  const afterwards = dump();
  expect(afterwards.includes(id)).toBe(true);
  expect(found(markers, afterwards)).toEqual([]);

  await deployment.run('dossier', own);
  const text = backup('dossier.json');
  const dossier = JSON.parse(text.toString());
  const erasure = dossier.ledger.find(({ type }: { type: string }) => type === 'verification.erased');
  expect(erasure).toMatchObject({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    data: { actor: { kind: 'operator' }, kinds: ['masked_front', 'selfie'], event_bodies: 1 },
  });
  expect(dossier.header).toMatchObject({ verification_id: id, reference: null, status: 'completed' });
  // The masking deleted the original.
  const masking = dossier.ledger.find(({ type }: { type: string }) => type === 'evidence.masked');
  const deletions = { passport_page: masking, selfie: erasure, masked_front: erasure };
  expect(dossier.artefacts).toMatchObject(
    Object.entries(deletions).map(([kind, line]) => ({
      ...{ kind, state: 'deleted', deletion_line: line.sequence },
    })),
  );
  expect(found(markers, text)).toEqual([]);
  const PUBLIC_KEY = globSync('*.pem', { cwd: deployment.env.LEDGER_DIR ?? '' })[0] ?? '';
  const checked = { ...own, PUBLIC_KEY: join(deployment.env.LEDGER_DIR ?? '', PUBLIC_KEY) };
  expect(await deployment.run('verify-dossier', checked)).toContain('VALID: all ');

  await deployment.stopAll();
  expect(found(markers, logs())).toEqual([]);
  await deployment.withoutTemporal(() => {
    const stored = filesOfTemporal();
    expect(stored.includes(id)).toBe(true);
    expect(found(markers, stored)).toEqual([]);
  });
});
