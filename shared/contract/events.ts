import { z } from 'zod';
import { assuranceLevels, environments, outcomes, reviewOutcomes } from './enums.ts';
import { limits } from './limits.ts';

/** Header names of a delivery (specification 6.2). */
export const deliveryHeaders = {
  signature: 'X-Service-Signature',
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
} as const;

type Row = {
  /** True if endpoints can subscribe to the event. If false, the event is sent to one chosen endpoint. */
  subscribable: boolean;
  /** The end of the sentence "It is sent when ..." in the guide. */
  when: string;
};

type SentEvent = Row & {
  body: z.ZodType;
  /**
   * `summary`, `description` and `refused` are texts of the OpenAPI document. `refused` says what follows if the receiver does not
   * answer 2xx.
   */
  summary: string;
  description: string;
  refused: string;
  example: object;
};

const anyEnvironment = z.enum(environments);

type Envelope<Type extends string, Data extends z.ZodRawShape> = {
  type: Type;
  /** A text that says which moment `created` is. */
  created: string;
  environment?: typeof anyEnvironment;
  data: Data;
};

/**
 * The form of every event (specification 6.1). The specification garbles the name of one field, which is read as `created`
 * (decision 1).
 */
const eventBody = <Type extends string, Data extends z.ZodRawShape>({
  type,
  created,
  environment = anyEnvironment,
  data,
}: Envelope<Type, Data>) =>
  z.strictObject({
    id: z.string().startsWith('evt_').describe('The same in every attempt to deliver this event.'),
    type: z.literal(type),
    created: z.int().describe(`${created}, as Unix time in seconds.`),
    environment,
    data: z.strictObject(data),
  });

const verdictData = {
  verification_id: z.uuid(),
  reference: z.string().nullable().describe('Your own reference; null if you gave none.'),
  status: z.literal('completed'),
  outcome: z.enum(outcomes),
  assurance_level: z.enum(assuranceLevels),
  reasons: z.array(z.string()).describe('The reasons for the outcome, in plain English.'),
};

const VerificationCompleted = eventBody({
  type: 'verification.completed',
  created: 'When the verdict was reached',
  data: verdictData,
}).meta({ id: 'VerificationCompleted' });

const VerificationReviewed = eventBody({
  type: 'verification.reviewed',
  created: 'When the reviewer decided',
  data: {
    ...verdictData,
    outcome: z.enum(reviewOutcomes),
    reviewed: z.literal(true).describe('A person made the final assessment.'),
  },
}).meta({ id: 'VerificationReviewed' });

const incomeData = {
  income_check_id: z.uuid(),
  reference: z.string().nullable().describe('Your own reference; null if you gave none.'),
  status: z.literal('completed'),
  outcome: z.enum(outcomes),
  reasons: z.array(z.string()).describe('The reasons for the outcome, in plain English.'),
};

const IncomeCheckCompleted = eventBody({
  type: 'income_check.completed',
  created: 'When the verdict was reached',
  data: incomeData,
}).meta({ id: 'IncomeCheckCompleted' });

const IncomeCheckReviewed = eventBody({
  type: 'income_check.reviewed',
  created: 'When the reviewer decided',
  data: {
    ...incomeData,
    outcome: z.enum(reviewOutcomes),
    reviewed: z.literal(true).describe('A person made the final assessment.'),
  },
}).meta({ id: 'IncomeCheckReviewed' });

const WebhookTest = eventBody({
  type: 'webhook.test',
  created: 'When the test was asked for',
  environment: anyEnvironment.describe('The environment of the key that asked for the test.'),
  data: { webhook_id: z.uuid().describe('The endpoint under test.') },
}).meta({ id: 'WebhookTest' });

/**
 * One row per type of event, in the order of the guide (decisions 23 and 32). The types for subscriptions, the OpenAPI document,
 * the table in the guide and `publish` all use these rows.
 */
export const events = {
  'verification.completed': {
    subscribable: true,
    when: 'a verification has its verdict',
    body: VerificationCompleted,
    summary: 'A verdict is ready',
    description: `
Sent to each active endpoint of your organisation whose \`environment\` and \`event_types\` include the event.

**Check the signature** before you use the event. \`${deliveryHeaders.signature}\` is \`t=<unix seconds>,v1=<hex>\`. Compute the
HMAC-SHA256 of \`<t>.<raw body>\` over the bytes exactly as received, with the whole \`secret\` of the endpoint as the key. Compare it
with \`v1\` in constant time, and refuse a \`t\` that is more than ${limits.signatureAgeSecondsMax / 60} minutes old. During the overlap after a
rotation there are two \`v1\`: it is enough that one matches.

**Answer 2xx** once the event is safely stored. After any other answer, also a redirect, the event is sent again: at most
${limits.deliveryAttemptsMax} attempts over about eight hours, each with the same body and event id. Events can arrive twice and in any
order, so remember their ids.
`.trim(),
    refused: 'You have not stored the event. It is sent again.',
    example: {
      id: 'evt_01m7z03e5tfgjswcb3r118ffzb',
      type: 'verification.completed',
      created: 1_795_262_888,
      environment: 'sandbox',
      data: {
        verification_id: '01a1fe01-b783-72e6-bfca-f1fd4bdbcb38',
        reference: 'order-1042',
        status: 'completed',
        outcome: 'approved',
        assurance_level: 'substantial',
        reasons: ['All checks passed.'],
      },
    } satisfies z.output<typeof VerificationCompleted>,
  },
  'verification.reviewed': {
    subscribable: true,
    when: 'a person of your organisation has reviewed it',
    body: VerificationReviewed,
    summary: 'A person has decided',
    description: `
Sent once, after a person of your organisation has reviewed a verification. It goes to each active endpoint whose \`environment\` and
\`event_types\` include the event. Outcome, assurance level and reasons replace those of \`verification.completed\`. The headers, the
signature and the repetitions are the same.
`.trim(),
    refused: 'You have not stored the event. It is sent again.',
    example: {
      id: 'evt_01m7z03e5t0q1nm8w2c6x4ydks',
      type: 'verification.reviewed',
      created: 1_795_263_188,
      environment: 'live',
      data: {
        verification_id: '01a1fe01-b783-72e6-bfca-f1fd4bdbcb38',
        reference: 'order-1042',
        status: 'completed',
        outcome: 'approved',
        assurance_level: 'substantial',
        reasons: [
          'A person examined the document and found it in order.',
          'A person compared the face with the document and found that they match.',
        ],
        reviewed: true,
      },
    } satisfies z.output<typeof VerificationReviewed>,
  },
  'income_check.completed': {
    subscribable: true,
    when: 'an income check has its result',
    body: IncomeCheckCompleted,
    summary: 'An income check has its result',
    description: `
Sent once to each active endpoint whose \`environment\` and \`event_types\` include the event. It has no amount and no name: retrieve the
income check by its id. The headers, the signature and the repetitions are those of \`verification.completed\`.
`.trim(),
    refused: 'You have not stored the event. It is sent again.',
    example: {
      id: 'evt_01m7z03e5tq8h2c5d7x9w4k1mz',
      type: 'income_check.completed',
      created: 1_795_262_888,
      environment: 'sandbox',
      data: {
        income_check_id: '01a1fe01-b783-7a10-9c44-2f6d1b8e0a57',
        reference: 'tenant-77',
        status: 'completed',
        outcome: 'approved',
        reasons: ['All checks passed.'],
      },
    } satisfies z.output<typeof IncomeCheckCompleted>,
  },
  'income_check.reviewed': {
    subscribable: true,
    when: 'a person of your organisation has reviewed an income check',
    body: IncomeCheckReviewed,
    summary: 'A person has decided about an income check',
    description: `
Sent once, after a person of your organisation has reviewed an income check. Outcome and reasons replace those of
\`income_check.completed\`. The headers, the signature and the repetitions are the same.
`.trim(),
    refused: 'You have not stored the event. It is sent again.',
    example: {
      id: 'evt_01m7z03e5t7n3v9b1x5c2q8wdk',
      type: 'income_check.reviewed',
      created: 1_795_263_188,
      environment: 'live',
      data: {
        income_check_id: '01a1fe01-b783-7a10-9c44-2f6d1b8e0a57',
        reference: 'tenant-77',
        status: 'completed',
        outcome: 'approved',
        reasons: ['A person examined the documents and found them in order.'],
        reviewed: true,
      },
    } satisfies z.output<typeof IncomeCheckReviewed>,
  },
  'webhook.test': {
    subscribable: false,
    when: 'you asked for a test event',
    body: WebhookTest,
    summary: 'A test event',
    description:
      'Sent to one endpoint on request, signed like every event. There is one attempt and no retry, and no endpoint can subscribe to it. It says nothing about a verification: answer 2xx.',
    refused: 'You have not stored the event. A test event is not sent again.',
    example: {
      id: 'evt_01m7z03e62ymfnkk0t6tzdx2b0',
      type: 'webhook.test',
      created: 1_795_262_888,
      environment: 'sandbox',
      data: { webhook_id: '01a1fe01-b4d2-7725-b2a1-aea5bb3e1923' },
    } satisfies z.output<typeof WebhookTest>,
  },
} satisfies Record<string, SentEvent>;

export type SentEventType = keyof typeof events;
export type EventBody<Type extends SentEventType> = z.output<(typeof events)[Type]['body']>;

export type SubscribableType = {
  [Type in SentEventType]: (typeof events)[Type]['subscribable'] extends true ? Type : never;
}[SentEventType];

export const sentEvents = Object.entries(events) as [SentEventType, SentEvent][];

export const subscribableTypes = sentEvents
  .filter(([, { subscribable }]) => subscribable)
  .map(([type]) => type as SubscribableType);
