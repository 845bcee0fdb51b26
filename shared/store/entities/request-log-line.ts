import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { instant } from './columns.ts';

/** One authenticated request to the REST interface or the agent interface, without its content. */
export const RequestLogLine = defineEntity({
  name: 'RequestLogLine',
  tableName: 'request_log',
  properties: {
    id: p.bigint().primary().autoincrement(),
    requestId: p.text(),
    orgId: p.uuid(),
    environment: p.text().$type<Environment>(),
    keyId: p.uuid(),
    method: p.text(),
    /** The pattern of the route. The path itself is not stored, because it can contain an id or a token. */
    path: p.text(),
    status: p.smallint(),
    code: p.text().nullable(),
    durationMs: p.integer(),
    createdAt: instant(),
  },
  indexes: [
    {
      name: 'request_log_newest',
      expression:
        'create index "request_log_newest" on "request_log" ("org_id", "created_at" desc, "id" desc)',
    },
    {
      name: 'request_log_expiring',
      expression: 'create index "request_log_expiring" on "request_log" ("created_at")',
    },
  ],
});
