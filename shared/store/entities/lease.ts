import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './columns.ts';

/** A task that only one process may do at a time. The process that has the lease must renew it before it expires. */
export const Lease = defineEntity({
  name: 'Lease',
  tableName: 'leases',
  properties: {
    name: p.text().primary(),
    /** A random id that the process chose at its start. */
    holder: p.uuid(),
    expiresAt: instant(),
  },
});
