import { DataKey } from '../entities/data-key.ts';
import { Lease } from '../entities/lease.ts';
import { LedgerLine } from '../entities/ledger-line.ts';
import { LedgerPersonal } from '../entities/ledger-personal.ts';
import { Member } from '../entities/members/member.ts';
import { MemberLink } from '../entities/members/member-link.ts';
import { MemberPasskey } from '../entities/members/member-passkey.ts';
import { MemberRecoveryCode } from '../entities/members/member-recovery-code.ts';
import { MemberSession } from '../entities/members/member-session.ts';
import { UsedForm } from '../entities/members/used-form.ts';
import { ApiKey } from '../entities/organisations/api-key.ts';
import { EidContract } from '../entities/organisations/eid-contract.ts';
import { Organisation } from '../entities/organisations/organisation.ts';
import { OrganisationLogo } from '../entities/organisations/organisation-logo.ts';
import { RemovedUsage } from '../entities/organisations/removed-usage.ts';
import { Purge } from '../entities/purge.ts';
import { Request } from '../entities/request.ts';
import { RequestLogLine } from '../entities/request-log-line.ts';
import { Command } from '../entities/verifications/command.ts';
import { EidTransaction } from '../entities/verifications/eid-transaction.ts';
import { Evidence } from '../entities/verifications/evidence.ts';
import { Examination } from '../entities/verifications/examination.ts';
import { IncomeCheck } from '../entities/verifications/income-check.ts';
import { IncomeFile } from '../entities/verifications/income-file.ts';
import { IncomeHash } from '../entities/verifications/income-hash.ts';
import { ReviewClaim } from '../entities/verifications/review-claim.ts';
import { ReviewDecision } from '../entities/verifications/review-decision.ts';
import { Verification } from '../entities/verifications/verification.ts';
import { Deactivation } from '../entities/webhooks/deactivation.ts';
import { Delivery } from '../entities/webhooks/delivery.ts';
import { DeliveryAttempt } from '../entities/webhooks/delivery-attempt.ts';
import { DeliveryOrder } from '../entities/webhooks/delivery-order.ts';
import { Event } from '../entities/webhooks/event.ts';
import { WebhookEndpoint } from '../entities/webhooks/webhook-endpoint.ts';

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
