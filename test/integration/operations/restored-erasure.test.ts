import { globSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type DeployedProduct,
  found,
  type Markers,
  startProduct,
} from '#test/integration/privacy/deployed.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { plant } from '#test/support/run-logs.ts';
import { missing } from './deployment.ts';

/** A person is erased after the last dump. The restore of the runbook brings them back, and its next command erases them again. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const reference = 'kanarie-restored-55ae';
plant(reference);

let product: DeployedProduct;
beforeAll(async () => {
  if (missing === undefined) product = await startProduct();
});
afterAll(() => product?.deployment.stop());

/** A worker notes an erasure within a minute. The file has the name of the verification. */
const untilNoted = (id: string) =>
  vi.waitFor(
    () => {
      const files = globSync('erased/**', { cwd: product.deployment.env.LEDGER_DIR ?? '' });
      expect(files.filter((file) => file.includes(id))).toHaveLength(1);
    },
    { timeout: 120_000, interval: 500 },
  );

test('inspect --repair erases a person again whom the restore of an older dump brought back', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const { deployment, ask, command, dump } = product;
  const { json } = await ask('POST', '/v1/verifications', { method: 'document_only', reference });
  const user = person(deployment, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  const [row] = await deployment.query(`
    select (select value from data_keys where verification_id = '${json.id}') as "dataKey",
      (select substr(picture, 100, 48) from evidence where verification_id = '${json.id}') as picture`);
  const markers: Markers = { ...(row as { dataKey: Buffer; picture: Buffer }), reference };
  const held = Object.keys(markers).sort();
  expect(found(markers, dump())).toEqual(held);

  await deployment.run('back-up');
  await command(`erase -- ${json.id}`);
  expect(found(markers, dump())).toEqual([]);
  await untilNoted(json.id);

  await deployment.stopAll();
  await deployment.dropDatabase();
  await deployment.run('restore');
  expect(found(markers, dump()), 'the dump has the person').toEqual(held);

  const compared = await deployment.run('compare');
  expect(compared).toContain(`verification ${json.id} was erased, and this database has it again`);
  expect(compared).toContain('erasures that a restore has undone: 1 (repeated)');
  expect(compared).toContain('rows that differ from the ledger: 0');
  expect(compared).toContain('ledger chains that do not hold: 0');
  expect(found(markers, dump())).toEqual([]);
  const [after] = await deployment.query(
    `select reference, erased_at is not null as erased, cancelled_at is not null as cancelled
     from verifications where id = '${json.id}'`,
  );
  expect(after).toEqual({ reference: null, erased: true, cancelled: true });
  expect(await deployment.run('compare')).toContain('erasures that a restore has undone: 0');
});
