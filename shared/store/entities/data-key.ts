import { defineEntity, p } from '@mikro-orm/core';
import { bytes, createdAt } from './columns.ts';
import { Organisation } from './organisations/organisation.ts';

/**
 * The key that encrypts what is stored of the person of one verification. The key itself is encrypted. Whoever deletes the row has
 * erased everything that the key encrypted.
 */
export const DataKey = defineEntity({
  name: 'DataKey',
  tableName: 'data_keys',
  properties: {
    verificationId: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    value: bytes(),
    createdAt: createdAt(),
  },
});
