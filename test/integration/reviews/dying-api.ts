import { systemClock } from '#platform/clock.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { openStore } from '#store/database/connection.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { reasonsFor } from './reasons.ts';

/**
 * A process that is killed while a member reviews: after the claim, or between the stored decision and its order to the workflow.
 * The arguments are the id of the organisation, of the verification and of the member, and where it dies.
 */
const [orgId = '', verificationId = '', member = '', diesAfter] = process.argv.slice(2);

const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};
const store = await openStore(String(process.env.DATABASE_URL));
const ctx = {
  ...{ store, clock: systemClock, secrets: createSecrets([Buffer.alloc(32, 7)]), instruments: noInstruments },
  ...{ log: { warn: () => undefined }, deadlineAt: Date.now() + 10_000, reviewHeldMs: 0 },
};

const caller = asOwner({ id: member }, orgId, 'sandbox');
await claimReview(ctx, caller, { id: verificationId });
if (diesAfter === 'claim') await die();
const order = { verificationId, outcome: 'approved', reasonIds: reasonsFor('approved') } as const;
// biome-ignore lint/suspicious/noExplicitAny: only this call is made before the process dies
await decideReview({ ...ctx, temporal: { command: die } as any }, caller, order);
