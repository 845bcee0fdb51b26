import { defineEntity, p } from '@mikro-orm/core';
import type { Expiring } from '#contract/workflows.ts';
import { instant } from './columns.ts';

/** The last time at which nothing of a kind was left to purge. */
export const Purge = defineEntity({
  name: 'Purge',
  tableName: 'purges',
  properties: {
    what: p.text().$type<Expiring>().primary(),
    doneAt: instant(),
  },
});
