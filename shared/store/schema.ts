import { ApiKey } from './entities/api-key.ts';
import { Command } from './entities/command.ts';
import { DataKey } from './entities/data-key.ts';
import { Deactivation } from './entities/deactivation.ts';
import { Delivery } from './entities/delivery.ts';
import { DeliveryAttempt } from './entities/delivery-attempt.ts';
import { DeliveryOrder } from './entities/delivery-order.ts';
import { EidContract } from './entities/eid-contract.ts';
import { EidTransaction } from './entities/eid-transaction.ts';
import { Event } from './entities/event.ts';
import { Evidence } from './entities/evidence.ts';
import { Examination } from './entities/examination.ts';
import { IncomeCheck } from './entities/income-check.ts';
import { IncomeFile } from './entities/income-file.ts';
import { IncomeHash } from './entities/income-hash.ts';
import { Lease } from './entities/lease.ts';
import { LedgerLine } from './entities/ledger-line.ts';
import { LedgerPersonal } from './entities/ledger-personal.ts';
import { Member } from './entities/member.ts';
import { MemberLink } from './entities/member-link.ts';
import { MemberPasskey } from './entities/member-passkey.ts';
import { MemberRecoveryCode } from './entities/member-recovery-code.ts';
import { MemberSession } from './entities/member-session.ts';
import { Organisation } from './entities/organisation.ts';
import { OrganisationLogo } from './entities/organisation-logo.ts';
import { Purge } from './entities/purge.ts';
import { RemovedUsage } from './entities/removed-usage.ts';
import { Request } from './entities/request.ts';
import { RequestLogLine } from './entities/request-log-line.ts';
import { ReviewClaim } from './entities/review-claim.ts';
import { ReviewDecision } from './entities/review-decision.ts';
import { UsedForm } from './entities/used-form.ts';
import { Verification } from './entities/verification.ts';
import { WebhookEndpoint } from './entities/webhook-endpoint.ts';

export const entities = [
  Organisation,
  OrganisationLogo,
  EidContract,
  ApiKey,
  Request,
  Verification,
  WebhookEndpoint,
  Deactivation,
  Event,
  Evidence,
  Command,
  Examination,
  IncomeCheck,
  IncomeFile,
  IncomeHash,
  EidTransaction,
  ReviewClaim,
  ReviewDecision,
  Delivery,
  DeliveryAttempt,
  DeliveryOrder,
  LedgerLine,
  LedgerPersonal,
  DataKey,
  RequestLogLine,
  Lease,
  Purge,
  RemovedUsage,
  Member,
  MemberSession,
  MemberLink,
  MemberRecoveryCode,
  MemberPasskey,
  UsedForm,
] as const;
