import type { Migration } from '@mikro-orm/migrations';
import { Schema } from './0001-schema.ts';
import { HousekeepingEmpties } from './0002-housekeeping-empties.ts';
import { IncomeChecks } from './0003-income-checks.ts';
import { ListsOfCases } from './0004-lists-of-cases.ts';
import { IncomeFiles } from './0005-income-files.ts';
import { QueuedDeliveries } from './0006-queued-deliveries.ts';
import { QueuesOfEndpoints } from './0007-queues-of-endpoints.ts';
import { TakenBack } from './0008-taken-back.ts';
import { ReviewNotes } from './0009-review-notes.ts';
import { OwnDecisions } from './0010-own-decisions.ts';
import { AttemptHeads } from './0011-attempt-heads.ts';
import { AttemptsWithContents } from './0012-attempts-with-contents.ts';
import { OrdersOfDeliveries } from './0013-orders-of-deliveries.ts';
import { OutcomesOfOrders } from './0014-outcomes-of-orders.ts';

type Listed = { name: string; class: new (...args: ConstructorParameters<typeof Migration>) => Migration };

/** The migrations in the order in which they run. A released migration must never be edited. */
export const migrationsList: Listed[] = [
  { name: '0001-schema', class: Schema },
  { name: '0002-housekeeping-empties', class: HousekeepingEmpties },
  { name: '0003-income-checks', class: IncomeChecks },
  { name: '0004-lists-of-cases', class: ListsOfCases },
  { name: '0005-income-files', class: IncomeFiles },
  { name: '0006-queued-deliveries', class: QueuedDeliveries },
  { name: '0007-queues-of-endpoints', class: QueuesOfEndpoints },
  { name: '0008-taken-back', class: TakenBack },
  { name: '0009-review-notes', class: ReviewNotes },
  { name: '0010-own-decisions', class: OwnDecisions },
  { name: '0011-attempt-heads', class: AttemptHeads },
  { name: '0012-attempts-with-contents', class: AttemptsWithContents },
  { name: '0013-orders-of-deliveries', class: OrdersOfDeliveries },
  { name: '0014-outcomes-of-orders', class: OutcomesOfOrders },
];
