import { ApiKey } from './entities/api-key.ts';
import { Command } from './entities/command.ts';
import { DataKey } from './entities/data-key.ts';
import { Deactivation } from './entities/deactivation.ts';
import { Delivery } from './entities/delivery.ts';
import { DeliveryAttempt } from './entities/delivery-attempt.ts';
import { Event } from './entities/event.ts';
import { Evidence } from './entities/evidence.ts';
import { Examination } from './entities/examination.ts';
import { Lease } from './entities/lease.ts';
import { LedgerLine } from './entities/ledger-line.ts';
import { LedgerPersonal } from './entities/ledger-personal.ts';
import { Member } from './entities/member.ts';
import { MemberLink } from './entities/member-link.ts';
import { MemberRecoveryCode } from './entities/member-recovery-code.ts';
import { MemberSession } from './entities/member-session.ts';
import { Organisation } from './entities/organisation.ts';
import { Purge } from './entities/purge.ts';
import { Request } from './entities/request.ts';
import { RequestLogLine } from './entities/request-log-line.ts';
import { ReviewClaim } from './entities/review-claim.ts';
import { ReviewDecision } from './entities/review-decision.ts';
import { UsedForm } from './entities/used-form.ts';
import { Verification } from './entities/verification.ts';
import { WebhookEndpoint } from './entities/webhook-endpoint.ts';

export const entities = [
  Organisation,
  ApiKey,
  Request,
  Verification,
  WebhookEndpoint,
  Deactivation,
  Event,
  Evidence,
  Command,
  Examination,
  ReviewClaim,
  ReviewDecision,
  Delivery,
  DeliveryAttempt,
  LedgerLine,
  LedgerPersonal,
  DataKey,
  RequestLogLine,
  Lease,
  Purge,
  Member,
  MemberSession,
  MemberLink,
  MemberRecoveryCode,
  UsedForm,
] as const;
