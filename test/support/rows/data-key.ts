import { createDataKey, type DataKey, type Secrets } from '#platform/crypto/crypto.ts';
import type { Rows } from './rows.ts';

/** Reads the data key of a verification, as the product would. Throws if there is none. */
export async function dataKeyOf(rows: Rows, secrets: Secrets, verificationId: string): Promise<DataKey> {
  const [found] = await rows<{ value: Buffer }>`
    select value from data_keys where verification_id = ${verificationId}`;
  if (found === undefined) throw new Error('the verification has no data key');
  return createDataKey(secrets.openBytes('data-key', `data-key/${verificationId}`, found.value));
}
