import { Foundation } from './0001-foundation.ts';
import { ListsLogsAndRetention } from './0002-lists-logs-and-retention.ts';
import { WebhookOperations } from './0003-webhook-operations.ts';
import { HostedFlow } from './0004-hosted-flow.ts';
import { Submissions } from './0005-submissions.ts';
import { CommandsAndExaminations } from './0006-commands-and-examinations.ts';
import { LargeTables } from './0007-large-tables.ts';
import { SweepAndHousekeeping } from './0008-sweep-and-housekeeping.ts';
import { DailyRequestLog } from './0009-daily-request-log.ts';
import { Vacuum } from './0010-vacuum.ts';
import { Actors } from './0011-actors.ts';
import { PersonalValues } from './0012-personal-values.ts';
import { ExpiringRows } from './0013-expiring-rows.ts';
import { DataKeys } from './0014-data-keys.ts';
import { AnswersAboutVerifications } from './0015-answers-about-verifications.ts';
import { PicturesThatExpire } from './0016-pictures-that-expire.ts';
import { IndexOfExpiringPictures } from './0017-index-of-expiring-pictures.ts';
import { OrganisationSettings } from './0018-organisation-settings.ts';
import { Engines } from './0019-engines.ts';
import { Relations } from './0023-relations.ts';
import { IndexOfRelations } from './0024-index-of-relations.ts';

/** The migrations in the order in which they run. A released migration must never be edited. */
export const migrationsList = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-lists-logs-and-retention', class: ListsLogsAndRetention },
  { name: '0003-webhook-operations', class: WebhookOperations },
  { name: '0004-hosted-flow', class: HostedFlow },
  { name: '0005-submissions', class: Submissions },
  { name: '0006-commands-and-examinations', class: CommandsAndExaminations },
  { name: '0007-large-tables', class: LargeTables },
  { name: '0008-sweep-and-housekeeping', class: SweepAndHousekeeping },
  { name: '0009-daily-request-log', class: DailyRequestLog },
  { name: '0010-vacuum', class: Vacuum },
  { name: '0011-actors', class: Actors },
  { name: '0012-personal-values', class: PersonalValues },
  { name: '0013-expiring-rows', class: ExpiringRows },
  { name: '0014-data-keys', class: DataKeys },
  { name: '0015-answers-about-verifications', class: AnswersAboutVerifications },
  { name: '0016-pictures-that-expire', class: PicturesThatExpire },
  { name: '0017-index-of-expiring-pictures', class: IndexOfExpiringPictures },
  { name: '0018-organisation-settings', class: OrganisationSettings },
  { name: '0019-engines', class: Engines },
  { name: '0023-relations', class: Relations },
  { name: '0024-index-of-relations', class: IndexOfRelations },
];
