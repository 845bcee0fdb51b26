import { ApiKey } from './entities/api-key.ts';
import { Delivery } from './entities/delivery.ts';
import { DeliveryAttempt } from './entities/delivery-attempt.ts';
import { Event } from './entities/event.ts';
import { Evidence } from './entities/evidence.ts';
import { LedgerLine } from './entities/ledger-line.ts';
import { Organisation } from './entities/organisation.ts';
import { Request } from './entities/request.ts';
import { RequestLogLine } from './entities/request-log-line.ts';
import { Verification } from './entities/verification.ts';
import { WebhookEndpoint } from './entities/webhook-endpoint.ts';

export const entities = [
  Organisation,
  ApiKey,
  Request,
  Verification,
  WebhookEndpoint,
  Event,
  Evidence,
  Delivery,
  DeliveryAttempt,
  LedgerLine,
  RequestLogLine,
] as const;
