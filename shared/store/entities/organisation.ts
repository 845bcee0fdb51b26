import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from './columns.ts';

export const Organisation = defineEntity({
  name: 'Organisation',
  tableName: 'organisations',
  properties: {
    id: p.uuid().primary(),
    name: p.text().unique(),
    /** True if an API key of live may erase a person's data. The operator always can. */
    eraseByKey: p.boolean().default(false),
    createdAt: createdAt(),
  },
});
