import { expect } from 'vitest';
import type { Environment, Method, PictureSource, ReviewOutcome } from '#contract/enums.ts';
import { Unavailable } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import type { TemporalClient } from '#platform/temporal/client.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { scopeOfKey } from '#store/database/scope.ts';
import { call, type Harness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { reasonsFor } from './reasons.ts';

export { reasonsFor } from './reasons.ts';

export const anna = { id: 'member-anna' };
export const bram = { id: 'member-bram' };
export const cato = { id: 'member-cato' };

export type Office = Awaited<ReturnType<typeof startOffice>>;

/** An organisation that receives both events, with members who review. */
export async function startOffice(
  harness: Harness,
  { environment = 'sandbox' as Environment, temporal = harness.ctx.temporal as TemporalClient } = {},
) {
  const event_types = ['verification.completed', 'verification.reviewed'];
  const partner = await startPartner(harness, { environment, endpoint: { event_types } });
  const scope = scopeOfKey({ orgId: partner.organisationId, environment });
  const as = (member: { id: string }) => asOwner(member, partner.organisationId, environment);
  const ctx = () => ({ ...harness.ctx, temporal, deadlineAt: Date.now() + 10_000 });
  const lines = (id: string) =>
    harness.rows<{ type: string; data: Record<string, unknown> }>`
      select type, data from ledger where subject_id = ${id} order by sequence`;

  /** A live verification whose pictures a person has handed in. `source` is how the browser got that of the document. */
  async function handedIn(body: object = {}, source?: PictureSource) {
    const { json } = await partner.ask('POST', '/verifications', { method: 'document_liveness', ...body });
    const user = person(harness, json.verify_url);
    await user.start();
    await user.upload('passport_page', await anyPicture(), 'picture.jpg', source);
    await user.upload('selfie', await anyPicture());
    await user.noMovements();
    return { id: String(json.id), user };
  }

  /** The person sends, and waits for the verdict and the masked copy. */
  async function sent({ id, user }: Awaited<ReturnType<typeof handedIn>>): Promise<string> {
    await user.submit();
    const status = async () =>
      (await call(harness, 'GET', `/v1/verifications/${id}`, { key: partner.key })).json.status;
    await expect.poll(status, { timeout: 60_000 }).toBe('completed');
    await untilMasked(harness.rows, id);
    return id;
  }

  return {
    ...partner,
    scope,
    as,
    ctx,
    lines,
    lineTypes: async (id: string) => (await lines(id)).map(({ type }) => type),
    read: async (id: string) => (await partner.ask('GET', `/verifications/${id}`)).json,

    /** A sandbox verification whose verdict is `review`. */
    async inReview(method: Method = 'document_liveness', body: object = {}): Promise<string> {
      const sandbox = { scenario: 'review' };
      return (await partner.ask('POST', '/verifications', { method, sandbox, ...body })).json.id;
    },

    handedIn,
    sent,

    /** A live verification that a person walked through, and whose verdict is `review`. */
    walked: async (body: object = {}): Promise<string> => sent(await handedIn(body)),

    claim: (member: { id: string }, id: string) => claimReview(ctx(), as(member), { id }),

    decide: (
      member: { id: string },
      verificationId: string,
      outcome: ReviewOutcome = 'approved',
      reasonIds: readonly string[] = reasonsFor(outcome),
    ) => decideReview(ctx(), as(member), { verificationId, outcome, reasonIds }),

    /** Claims, looks, and decides while Temporal cannot be reached: the decision is stored, and its order is lost. */
    async storeOnly(
      member: { id: string },
      id: string,
      outcome: ReviewOutcome = 'approved',
      log: Pick<Log, 'warn'> = harness.ctx.log,
    ) {
      await claimReview(ctx(), as(member), { id });
      await openMaterial(ctx(), as(member), { id });
      const unreachable = {
        ...harness.ctx.temporal,
        command: () => Promise.reject(new Unavailable('temporal', new Error('unreachable'))),
      };
      const order = { verificationId: id, outcome, reasonIds: reasonsFor(outcome) };
      return decideReview({ ...ctx(), temporal: unreachable, log }, as(member), order);
    },

    /** Claims, looks and decides. */
    async review(member: { id: string }, id: string, outcome: ReviewOutcome = 'approved', note?: string) {
      await claimReview(ctx(), as(member), { id });
      await openMaterial(ctx(), as(member), { id });
      const reasonIds = reasonsFor(outcome);
      return decideReview(ctx(), as(member), { verificationId: id, outcome, reasonIds, note });
    },

    /** The events of this type about the verification that the receiver got. */
    received: (id: string, type = 'verification.reviewed') =>
      partner.receiver.received
        .map(({ body }) => JSON.parse(String(body)))
        .filter((event) => event.type === type && event.data.verification_id === id),

    events: (id: string) =>
      harness.rows<{ type: string }>`
        select type from events where verification_id = ${id} order by created_at, type`,
  };
}

/** Stores a document as the person handed it in beside the pictures of a verification. Returns what removes it, as a masking does. */
export async function leaveOriginal({ rows }: Harness, id: string): Promise<() => Promise<unknown>> {
  await rows`
    insert into evidence select (jsonb_populate_record(null::evidence,
      to_jsonb(evidence) || jsonb_build_object('id', gen_random_uuid(), 'kind', 'passport_page'))).*
    from evidence where verification_id = ${id} and kind = 'selfie'`;
  return () => rows`delete from evidence where verification_id = ${id} and kind = 'passport_page'`;
}

export const refusal = (code: string) => expect.objectContaining({ name: 'ReviewRefused', code });
