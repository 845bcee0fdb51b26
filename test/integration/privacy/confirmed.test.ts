import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { missing } from '#test/integration/operations/deployment.ts';
import { atBank, keys, press } from '#test/support/people/idin.ts';
import { person } from '#test/support/people/person.ts';
import { plant } from '#test/support/run-logs.ts';
import { personaOf } from '#worker/standalone/idin-simulator/personas.ts';
import { startSimulator } from '#worker/standalone/idin-simulator/server.ts';
import { checkedDossier, type DeployedProduct, found, type Markers, startProduct } from './deployed.ts';

/**
 * A person whom a bank confirmed, in live on a real deployment. The bank told a name, an address and a date of birth. After the erasure
 * nothing of that is left anywhere, nor the acquirer's name of the visit, with which a bank would find the person again.
 */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { street, dateofbirth } = personaOf('diacritics').attributes;
const texts = {
  surname: 'Öztürk-Čapek',
  street: `${street}`,
  birth: `${dateofbirth}`,
  reference: 'kanarie-bank-reference-4c07',
};
for (const text of [texts.surname, texts.reference]) plant(text);

let product: DeployedProduct;
beforeAll(async () => {
  if (missing === undefined) product = await startProduct();
});
afterAll(() => product?.deployment.stop());

const waiting = { timeout: 120_000, interval: 250 };

async function agreeWithBank({ deployment, command }: DeployedProduct): Promise<void> {
  const simulator = await startSimulator({ keys, style: 'short', fault: null, port: 0 });
  onTestFinished(simulator.close);
  const file = join(deployment.env.HOME ?? '', 'contract.json');
  writeFileSync(file, JSON.stringify(simulator.contract));
  await command(`idin -- --org Acme --contract ${file}`);
}

/** Returns the verification, and what only the visit knows: the transaction and the code of the return. */
async function confirmed({ deployment, ask }: DeployedProduct) {
  const { json } = await ask('POST', '/v1/verifications', { method: 'idin', reference: texts.reference });
  const user = person(deployment, json.verify_url);
  await user.start();
  const address = await atBank(user);
  const returned = await press(address, { choice: 'success', persona: 'diacritics' });
  const visit = { address, transaction: `${returned.searchParams.get('trxid')}` };
  const [row] = await deployment.query(
    `select code_hash as hash, substr(redirect, 1, 48) as redirect from eid_transactions where verification_id = '${json.id}'`,
  );
  expect((await fetch(returned, { redirect: 'manual' })).status).toBe(303);
  const isCompleted = async () =>
    expect((await ask('GET', `/v1/verifications/${json.id}`)).json.verdict?.outcome).toBe('approved');
  await vi.waitFor(isCompleted, waiting);
  const sealed = row as { hash: Buffer; redirect: Buffer };
  return {
    id: json.id as string,
    visit: { ...visit, code: `${returned.searchParams.get('ec')}`, ...sealed },
  };
}

test('after the erasure of a person whom a bank confirmed nothing of them is in a dump, in a log or in Temporal', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const { deployment, command, backup, dump, remains } = product;
  await agreeWithBank(product);
  const { id, visit } = await confirmed(product);
  await deployment.run('export', { VERIFICATION_ID: id });
  const held = JSON.parse(backup('person.json').toString());
  const xml = Buffer.from(held.evidence[0].xml_base64, 'base64');
  const personal = held.history.find(
    ({ type }: { type: string }) => type === 'verification.submitted',
  ).personal;
  expect(personal).toMatchObject({
    attributes: { legallastname: expect.stringContaining(texts.surname), street, dateofbirth },
    ...{ subject: expect.stringContaining(visit.transaction), transaction_id: visit.transaction },
  });
  const [row] = await deployment.query(
    `select (select substr(picture, 100, 48) from evidence where verification_id = '${id}' and kind = 'bank') as "sealedXml",
      (select value from data_keys where verification_id = '${id}') as "dataKey",
      (select substr(value, 40, 48) from ledger_personal where subject_id = '${id}' order by length(value) desc limit 1) as "sealedName"`,
  );
  const sealed = row as { sealedXml: Buffer; dataKey: Buffer; sealedName: Buffer };
  const markers: Markers = { ...texts, ...visit, ...sealed, xml: xml.subarray(2_000, 2_048) };

  // What is found before shows that the search finds. The address of the bank's page is emptied when the visit is over.
  expect(found(markers, dump()).sort()).toEqual([
    ...['dataKey', 'hash', 'reference', 'sealedName', 'sealedXml', 'transaction'],
  ]);

  await command(`erase -- ${id}`);
  const afterwards = dump();
  expect(afterwards.includes(id)).toBe(true);
  expect(found(markers, afterwards)).toEqual([]);

  const text = await checkedDossier(product, id);
  expect(found(markers, text)).toEqual([]);
  const dossier = JSON.parse(text.toString());
  const erasure = dossier.ledger.find(({ type }: { type: string }) => type === 'verification.erased');
  expect(erasure.data).toMatchObject({ actor: { kind: 'operator' }, kinds: ['bank'] });
  expect(dossier.artefacts).toMatchObject([
    { kind: 'bank', state: 'deleted', deletion_line: erasure.sequence },
  ]);

  const { logs, temporal } = await remains('privacy-confirmed');
  expect(found(markers, logs)).toEqual([]);
  expect(temporal.includes(id)).toBe(true);
  expect(found(markers, temporal)).toEqual([]);
});
