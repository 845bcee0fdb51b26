import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from './columns.ts';

export const Organisation = defineEntity({
  name: 'Organisation',
  tableName: 'organisations',
  properties: { id: p.uuid().primary(), name: p.text().unique(), createdAt: createdAt() },
});
