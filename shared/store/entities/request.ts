import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { bytes, createdAt } from './columns.ts';
import { Organisation } from './organisations/organisation.ts';

export type RequestStatus = 'claimed' | 'answered' | 'abandoned';

/**
 * A claimed request (decision 21). A create commits its claim before the workflow starts, and the order of a dossier before a worker makes
 * it. Any other operation commits its claim together with its work. A verification gets the `id` of its request, so a repetition finds the
 * verification. The answer is encrypted, because it can contain a link or a secret.
 */
export const Request = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    operation: p.text(),
    /** The id of the key that the request came with. Null if an earlier version took it. */
    keyId: p.uuid().nullable(),
    idempotencyKey: p.text().nullable(),
    /** Encrypted. Empty without an idempotency key, and when the key is released. */
    fingerprint: bytes(),
    input: p.json().nullable(),
    status: p.text().$type<RequestStatus>().default('claimed'),
    answerStatus: p.smallint().nullable(),
    answer: bytes().nullable(),
    /** The verification that the answer is about. Null for a verification's create, which has the same id. */
    verificationId: p.uuid().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'requests_claimed',
      expression:
        'create index "requests_claimed" on "requests" ("created_at") where (status = \'claimed\'::text)',
    },
    {
      name: 'requests_about',
      expression:
        'create index "requests_about" on "requests" ("verification_id") where (verification_id is not null)',
    },
    {
      name: 'requests_expiring',
      expression:
        'create index "requests_expiring" on "requests" ("created_at") where ((idempotency_key is not null) or (answer is not null) or (status = \'claimed\'::text))',
    },
  ],
  uniques: [
    {
      name: 'requests_idempotency_key',
      properties: ['orgId', 'environment', 'idempotencyKey'],
      where: 'idempotency_key is not null',
    },
  ],
});
