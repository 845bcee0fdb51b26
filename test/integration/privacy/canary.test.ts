import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { missing } from '#test/integration/operations/deployment.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { plant } from '#test/support/run-logs.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { checkedDossier, type DeployedProduct, found, type Markers, startProduct } from './deployed.ts';
import { bsnIsValid } from './markers.ts';

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
const cookie = 'kanarie-cookie-of-a-receiver-91f3';
const texts = { bsn, surname, reference, browser, cookie };
for (const text of [surname, reference, browser, cookie]) plant(text);

let product: DeployedProduct;
beforeAll(async () => {
  if (missing === undefined) product = await startProduct();
});
afterAll(() => product?.deployment.stop());

async function walkedThrough({ ask, deployment }: DeployedProduct): Promise<string> {
  const receiver = await startReceiver((_, { body }) => ({
    ...{ status: 200, body },
    headers: { 'x-request-id': reference, 'set-cookie': `cookie=${cookie}` },
  }));
  await ask('POST', '/v1/webhooks', { url: receiver.url });
  const body = { method: 'document_liveness', reference };
  const { json } = await ask('POST', '/v1/verifications', body, { 'idempotency-key': 'canary' });
  const user = person(deployment, json.verify_url, 'nl', { 'user-agent': browser });
  await user.start();
  const { front } = drawn({ format: 'TD3', person: { ...eriksson, surname, number: bsn } });
  await user.upload('passport_page', await photograph(front), `${surname}.jpg`);
  await user.upload('selfie', await anyPicture(), 'face.jpg');
  await user.noMovements();
  await user.submit();
  const isDelivered = async () =>
    expect(await deployment.query("select 1 from deliveries where status = 'delivered'")).toHaveLength(1);
  await vi.waitFor(isDelivered, { timeout: 120_000, interval: 250 });
  const isMasked = async () =>
    expect(await deployment.query("select 1 from evidence where kind = 'masked_front'")).toHaveLength(1);
  await vi.waitFor(isMasked, { timeout: 120_000, interval: 250 });
  return json.id;
}

test('after the erasure of a person nothing of them is in a dump, in a log or in Temporal, and the dossier says what was erased', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  expect(bsnIsValid(bsn)).toBe(true);
  const { deployment, command, backup, dump, remains } = product;
  const id = await walkedThrough(product);
  const own = { VERIFICATION_ID: id };
  await deployment.run('export', own);
  const held = JSON.parse(backup('person.json').toString());
  type Picture = { kind: string; jpeg_base64?: string };
  const pictures: Markers = Object.fromEntries(
    held.evidence.flatMap(({ kind, jpeg_base64 }: Picture) =>
      jpeg_base64 === undefined ? [] : [[kind, Buffer.from(jpeg_base64, 'base64').subarray(2_000, 2_048)]],
    ),
  );
  expect(Object.keys(pictures).sort()).toEqual(['masked_front', 'selfie']);
  const { read } = held.evidence.find(({ kind }: Picture) => kind === 'fields');
  expect(JSON.stringify(read)).toContain(surname);
  const [row] = await deployment.query(
    `select (select substr(picture, 100, 48) from evidence where verification_id = '${id}' and kind = 'selfie') as face,
      (select value from data_keys where verification_id = '${id}') as "dataKey",
      (select substr(answer, 20, 48) from delivery_attempts where answer is not null limit 1) as answer,
      (select substr(heads, 20, 48) from delivery_attempts where heads is not null limit 1) as heads`,
  );
  const sealed = row as { face: Buffer; dataKey: Buffer; answer: Buffer; heads: Buffer };
  const markers: Markers = { ...texts, ...pictures, ...sealed };

  // What is found before shows that the search finds. Names and numbers on a document are stored sealed.
  expect(found(markers, dump()).sort()).toEqual(['answer', 'dataKey', 'face', 'heads', 'reference']);

  await command(`erase -- ${id}`);
  const afterwards = dump();
  expect(afterwards.includes(id)).toBe(true);
  expect(found(markers, afterwards)).toEqual([]);

  const text = await checkedDossier(product, id);
  const dossier = JSON.parse(text.toString());
  const erasure = dossier.ledger.find(({ type }: { type: string }) => type === 'verification.erased');
  expect(erasure).toMatchObject({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    data: { actor: { kind: 'operator' }, kinds: ['fields', 'masked_front', 'selfie'], event_bodies: 1 },
  });
  expect(dossier.header).toMatchObject({ verification_id: id, reference: null, status: 'completed' });
  // The masking deleted the original.
  const masking = dossier.ledger.find(({ type }: { type: string }) => type === 'evidence.masked');
  const gone = (kind: string, line: { sequence: number }, state = 'deleted') => ({
    ...{ kind, state, deletion_line: line.sequence },
  });
  expect(dossier.artefacts).toMatchObject([
    // The person went on without them, so there was nothing to store.
    gone('movements', masking, 'not_stored'),
    ...[gone('passport_page', masking), gone('selfie', erasure), gone('masked_front', erasure)],
  ]);
  expect(found(markers, text)).toEqual([]);

  const { logs, temporal } = await remains('privacy-canary');
  expect(found(markers, logs)).toEqual([]);
  expect(temporal.includes(id)).toBe(true);
  expect(found(markers, temporal)).toEqual([]);
});
