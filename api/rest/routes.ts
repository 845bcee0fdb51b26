import { Health } from '#contract/health.ts';
import { limits } from '#contract/limits.ts';
import { ListQuery } from '#contract/list.ts';
import {
  CompleteVerification,
  CreateVerification,
  Verification,
  VerificationList,
} from '#contract/verification.ts';
import { NoFields } from '#contract/webhook.ts';
import { alive } from '#services/health/alive.ts';
import { cancelVerification } from '#services/verifications/cancel.ts';
import { completeVerification } from '#services/verifications/complete.ts';
import { createVerification } from '#services/verifications/create.ts';
import { eraseVerification } from '#services/verifications/erase.ts';
import { getVerification } from '#services/verifications/get.ts';
import { listVerifications } from '#services/verifications/list.ts';
import { renewLink } from '#services/verifications/renew-link.ts';
import { incomeRoutes } from './income-routes.ts';
import { type KeyedRoute, type Route, row } from './row.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Every path starts with the version of the interface (specification 9). */
export const prefix = '/v1';

export const routes: readonly Route[] = [
  {
    operation: 'getHealth',
    method: 'GET',
    path: '/health',
    tag: 'Service',
    summary: 'Check that the service runs',
    description: 'Answers with the version of the product. Needs no key and has no rate limit.',
    grant: null,
    success: { status: 200, schema: Health, description: 'The service runs.' },
    run: alive,
  },
  row({
    operation: 'createVerification',
    method: 'POST',
    path: '/verifications',
    tag: 'Verifications',
    summary: 'Start a verification',
    description: [
      'Returns a verification with its `verify_url`. Give this link to your end user. The body is optional.',
      '',
      'In sandbox the verification completes at once, with the outcome in `sandbox.scenario`, unless `sandbox.auto_complete`',
      'is false. In live it completes when the end user has finished. A method that is not available in live, such as `idin`',
      'without a contract, is 422 `method_not_available`.',
      '',
      'Send an `Idempotency-Key`: a repeat with the same key and body returns the same answer and starts nothing new.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: CreateVerification,
    bodyOptional: true,
    success: { status: 201, schema: Verification, description: 'The verification.' },
    errors: ['method_not_available', 'organisation_paused', 'overloaded'],
    run: createVerification,
  }),
  row({
    operation: 'listVerifications',
    method: 'GET',
    path: '/verifications',
    tag: 'Verifications',
    summary: 'List verifications',
    description:
      "Returns one page of the verifications of the key's organisation and environment, newest first. For the next page send `next_starting_after` as `starting_after`.",
    grant: 'verify:read',
    query: ListQuery,
    success: { status: 200, schema: VerificationList, description: 'One page.' },
    errors: ['invalid_cursor'],
    run: listVerifications,
  }),
  row({
    operation: 'getVerification',
    method: 'GET',
    path: '/verifications/:id',
    tag: 'Verifications',
    summary: 'Retrieve a verification',
    description:
      'Returns the verification. `verdict` is null until it is completed. With a webhook you do not need to poll.',
    grant: 'verify:read',
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The verification.' },
    run: getVerification,
  }),
  row({
    operation: 'completeVerification',
    method: 'POST',
    path: '/verifications/:id/complete',
    tag: 'Verifications',
    summary: 'Complete a sandbox verification',
    description:
      'Acts in place of the end user: the verification completes with the outcome in `scenario`, and `verification.completed` is sent. Without `scenario` the one given at creation is used. In live only the end user can complete a verification.',
    grant: 'verify:create',
    sandboxOnly: true,
    body: CompleteVerification,
    bodyOptional: true,
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The completed verification.' },
    errors: ['already_completed'],
    run: completeVerification,
  }),
  row({
    operation: 'cancelVerification',
    method: 'POST',
    path: '/verifications/:id/cancel',
    tag: 'Verification operations',
    summary: 'Cancel a verification',
    description: [
      'Closes the link of an open verification: it opens a page that says so. No event is sent, and `status` stays as it is. With',
      '`/link` you can open the verification again. In sandbox you can still complete it. A repeat changes nothing.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The verification.' },
    errors: ['already_completed', 'already_submitted'],
    run: cancelVerification,
  }),
  row({
    operation: 'renewVerificationLink',
    method: 'POST',
    path: '/verifications/:id/link',
    tag: 'Verification operations',
    summary: 'Replace the link',
    description: [
      'Returns the verification with a new `verify_url`. The link before stops working at once. Use it if a link has expired or has come',
      'into the wrong hands, or to open a cancelled verification again. Your end user continues at the step reached before.',
      '',
      `The new link works for ${limits.linkLifetimeDays} days, or for ${limits.linkLifetimeHoursAfterStart} hours if your end user has started already. Send an \`Idempotency-Key\`: without it, a repeat`,
      'after a lost answer makes one more link.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The verification with its new link.' },
    errors: ['already_completed', 'erased', 'too_many_links'],
    run: renewLink,
  }),
  row({
    operation: 'eraseVerification',
    method: 'POST',
    path: '/verifications/:id/erase',
    tag: 'Verification operations',
    summary: 'Erase the personal data',
    description: [
      'Erases what is stored of the end user, at any time: photos, `reference`, and the reference in events that are still to be sent. An',
      'open verification is cancelled, and no event is sent. Verdict, checks and the history stay. This cannot be undone.',
      '',
      'In live it needs a setting of your organisation. A repeat changes nothing.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The verification without personal data.' },
    errors: ['not_allowed'],
    run: eraseVerification,
  }),
  ...incomeRoutes,
  ...webhookRoutes,
];

export const keyedRoutes = routes.filter((each): each is KeyedRoute => each.grant !== null);
