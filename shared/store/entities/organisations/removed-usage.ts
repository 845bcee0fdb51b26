import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../columns.ts';
import { Organisation } from './organisation.ts';

/** How many charged verifications of a month were removed. Those that are still stored are counted from their own rows. */
export const RemovedUsage = defineEntity({
  name: 'RemovedUsage',
  tableName: 'removed_usage',
  properties: {
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id').primary(),
    /** The beginning of the month in UTC. */
    month: instant().primary(),
    verifications: p.integer(),
  },
});
