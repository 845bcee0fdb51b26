import { Foundation } from './0001-foundation.ts';
import { ListsLogsAndRetention } from './0002-lists-logs-and-retention.ts';
import { WebhookOperations } from './0003-webhook-operations.ts';
import { HostedFlow } from './0004-hosted-flow.ts';
import { Submissions } from './0005-submissions.ts';

/** The migrations in the order in which they run. A released migration must never be edited. */
export const migrationsList = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-lists-logs-and-retention', class: ListsLogsAndRetention },
  { name: '0003-webhook-operations', class: WebhookOperations },
  { name: '0004-hosted-flow', class: HostedFlow },
  { name: '0005-submissions', class: Submissions },
];
