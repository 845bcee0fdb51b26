import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { VerificationRef } from '#contract/workflows.ts';
import type { Posted, Sender } from '#platform/outbound/http.ts';
import { attemptDelivery } from '#services/attempts/attempt.ts';
import { recordVerification } from '#services/recording/record.ts';
import { call, type Harness } from '#test/support/harness.ts';
import type { Partner } from '#test/support/people/partner.ts';

const createsAtOnce = 8;

/** Creates verifications and returns their ids. After a 503 a request is sent again with its idempotency key (decision 21). */
export async function createMany(harness: Harness, key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let left = count;
  const inTurn = async () => {
    while (left-- > 0) ids.push(await createOne(harness, key));
  };
  await Promise.all(Array.from({ length: createsAtOnce }, inTurn));
  return ids;
}

async function createOne(harness: Harness, key: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  for (;;) {
    const { status, json } = await call(harness, 'POST', '/v1/verifications', { key, headers });
    if (status !== 503) {
      expect(status).toBe(201);
      return json.id;
    }
  }
}

/** The claim of a create that is completed at once, and that only the test carries out. */
export async function newClaim(
  harness: Harness,
  { organisationId: orgId }: Pick<Partner, 'organisationId'>,
): Promise<VerificationRef> {
  const rows = await harness.rows<{ id: string }>`
    insert into requests (id, org_id, environment, operation, fingerprint, input)
    values (gen_random_uuid(), ${orgId}, 'sandbox', 'create_verification', '', '{"method":"idin","sandbox":{"scenario":"approved","auto_complete":true}}')
    returning id`;
  return { verificationId: rows[0]?.id ?? '', orgId, environment: 'sandbox' };
}

/** Creates a delivery by `recordVerification` of the product, without a workflow. So only the test attempts the delivery. */
export async function newDelivery(
  harness: Harness,
  partner: Pick<Partner, 'organisationId'>,
): Promise<string> {
  const recorded = await recordVerification(harness.ctx, await newClaim(harness, partner));
  return recorded.deliveryIds[0] ?? '';
}

/** Makes single attempts, with a sender that returns what `post` returns, or with a real sender. */
export const attempter = (harness: Harness, post: () => Promise<Posted>, real?: Sender) => {
  const sender = real ?? { post, close: async () => undefined };
  const ctx = { ...harness.ctx, sender, retryWaitsMs: [] };
  return (deliveryId: string, number = 1) => attemptDelivery(ctx, { deliveryId, number, waitMs: 5_000 });
};

/** What a sender reports of a receiver that answered. */
export const answered = (status: number, retryAfterMs: number | null = null): Posted => ({
  answered: true,
  phase: 'body',
  kept: false,
  status,
  retryAfterMs,
  excerpt: Buffer.from('ok'),
  durationMs: 3,
  ...heads,
});

/** The headers of a request and of its answer, as a sender reports them. */
export const heads = {
  sent: {
    ...{ host: 'localhost', connection: 'keep-alive', 'content-length': '2' },
    'X-Service-Signature': `t=1,v1=${'0123456789abcdef'.repeat(4)}`,
  },
  version: '1.1',
  lines: ['Server: nginx'],
} as const;
