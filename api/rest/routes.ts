import type { z } from 'zod';
import type { Grant } from '#contract/enums.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { CompleteVerification, CreateVerification, Verification } from '#contract/verification.ts';
import { CreatedWebhookEndpoint, CreateWebhook } from '#contract/webhook.ts';
import type { CallerContext } from '#services/context.ts';
import { completeVerification } from '#services/verifications/complete.ts';
import { createVerification } from '#services/verifications/create.ts';
import { getVerification } from '#services/verifications/get.ts';
import { createWebhook } from '#services/webhooks/create.ts';

/** One endpoint of the table in specification 4.1. `mount.ts` turns it into a handler. */
export type Route = {
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Under /v1; `:id` is a uuid, and a malformed one is as unknown as any other. */
  path: string;
  grant: Grant;
  sandboxOnly?: true;
  /** Honours the header Idempotency-Key (decision 21). */
  idempotent?: true;
  body?: z.ZodObject;
  /** Answered when nothing has this id. */
  notFound?: ErrorCode;
  success: { status: number; schema: z.ZodType };
  run: Run;
};

/** `input` is the parsed body with the path's parameters, as the row's schema gives them. */
type Run = (ctx: CallerContext, input: never) => Promise<unknown>;

export const routes: readonly Route[] = [
  {
    operation: 'createVerification',
    method: 'POST',
    path: '/verifications',
    grant: 'verify:create',
    idempotent: true,
    body: CreateVerification,
    success: { status: 201, schema: Verification },
    run: createVerification,
  },
  {
    operation: 'getVerification',
    method: 'GET',
    path: '/verifications/:id',
    grant: 'verify:read',
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification },
    run: getVerification,
  },
  {
    operation: 'completeVerification',
    method: 'POST',
    path: '/verifications/:id/complete',
    grant: 'verify:create',
    sandboxOnly: true,
    body: CompleteVerification,
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification },
    run: completeVerification,
  },
  {
    operation: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    grant: 'webhooks:manage',
    body: CreateWebhook,
    success: { status: 201, schema: CreatedWebhookEndpoint },
    run: createWebhook,
  },
];
