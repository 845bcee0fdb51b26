import type { BeginOrder, Begun, Transaction } from '#contract/eid.ts';
import type { Language } from '#contract/enums.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { newUuid, sha256 } from '#platform/crypto/crypto.ts';
import { randomToken } from '#platform/crypto/random.ts';
import {
  askAfterEndMs,
  bankTimeMs,
  beginLostMs,
  isGivenUp,
  isUnderWay,
  nextAskMs,
  transactionsMax,
} from '#policy/eid.ts';
import { awaitsEvidence } from '#policy/flow.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../../context.ts';
import { issuersOf, openContract } from '../../eid/contracts.ts';
import { requireDataKey } from '../../personal/data-key.ts';
import { acceptsEvidence, type ByLink, isByCurrentLink } from '../evidence.ts';

type VisitContext = Pick<Context, 'store' | 'secrets' | 'simulator'>;
type Visits = ReturnType<typeof eidTransactionsOf>;

/** Binds the sealed address of a bank's page to its visit. */
export const redirectBinding = (visitId: string): string => `eid-redirect/${visitId}`;

/** Where the acquirer sends a person back to. It adds the code and the transaction, and learns nothing of the link. */
export const returnUrlAt = (publicUrl: string): string => `${publicUrl}/verify/from-bank`;

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Names the request of a visit in the answer of the bank. */
const requestIdOf = (visitId: string): string => `V${visitId.replaceAll('-', '')}`;

export type Wish = 'noted' | 'under_way' | 'unknown_bank' | 'too_often' | 'closed';

/**
 * Notes that the person wants to go to this bank. Nobody is asked yet. While one visit is under way there is no second one, so a double
 * click begins once.
 */
export const wantBank = (
  ctx: Pick<Context, 'store' | 'simulator'>,
  link: ByLink,
  { issuerId, language }: { issuerId: string; language: Language },
): Promise<Wish> =>
  ctx.store.transaction(async (tx) => {
    const { scope, id } = link;
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || !acceptsEvidence(verification)) return 'closed';
    if (!isByCurrentLink(link, verification)) return 'closed';
    const { now } = verification;
    const issuers = await issuersOf(ctx, tx, scope);
    if (!issuers?.some((issuer) => issuer.id === issuerId)) return 'unknown_bank';
    const visits = eidTransactionsOf(scope, tx, id);
    const before = await visits.newest(transactionsMax);
    if (before.some((visit) => isUnderWay(visit, now))) return 'under_way';
    // A fresh link took the codes of the visits before it, so these no longer count.
    if (before.filter(({ codeHash }) => codeHash !== null).length >= transactionsMax) return 'too_often';
    await visits.add({ id: newUuid(), issuerId, language, createdAt: now, endsAt: after(now, bankTimeMs) });
    return 'noted';
  });

/** What is to be asked now. `visitId` names the visit in the calls that record the answer. */
export type DueBegin = { kind: 'begin'; visitId: string; contract: string; order: BeginOrder };
export type DueAsk = {
  kind: 'ask';
  visitId: string;
  contract: string;
  simulated: boolean;
  transaction: Transaction;
};

/**
 * Claims what is due, in one transaction, before anybody is asked. The right to begin is given once: if it is lost with a crash, the visit
 * ends and the person chooses again. A question for a result may be asked again, because it changes nothing.
 */
export const claimDue = (
  ctx: VisitContext & Pick<Context, 'publicUrl'>,
  ref: VerificationRef,
): Promise<(DueBegin | DueAsk)[]> =>
  withOpenFlow(ctx, ref, [], async (place) => {
    const contract = await openContract(ctx, place.tx, place.scope);
    const claimed: (DueBegin | DueAsk | undefined)[] = [];
    for (const visit of await place.visits.open()) {
      if (visit.nextAskAt > place.now) continue;
      claimed.push(
        visit.status === 'open'
          ? await claimAsk(place, visit, contract)
          : await claimBegin(place, visit, contract, ctx.publicUrl),
      );
    }
    return claimed.filter((due) => due !== undefined);
  });

type Visit = Awaited<ReturnType<Visits['open']>>[number];
type Contract = Awaited<ReturnType<typeof openContract>>;

/**
 * Claims the beginning of a visit. If it was claimed before and nothing was recorded, the visit ends. It also ends if the link has expired.
 */
async function claimBegin(
  { visits, now, verification }: Place,
  { id: visitId, status, issuerId, language }: Visit,
  contract: Contract,
  publicUrl: string,
): Promise<DueBegin | undefined> {
  if (status !== 'wanted' || contract === undefined || !acceptsEvidence(verification)) {
    await visits.change(visitId, status, { status: 'not_begun' });
    return undefined;
  }
  const entranceCode = randomToken(20, 'hex');
  const nextAskAt = after(now, beginLostMs);
  await visits.change(visitId, status, { status: 'asked', codeHash: sha256(entranceCode), nextAskAt });
  const order = {
    ...{ requestId: requestIdOf(visitId), issuerId, language, entranceCode },
    ...{ returnUrl: returnUrlAt(publicUrl), expiresInSeconds: bankTimeMs / 1_000 },
  };
  return { kind: 'begin', visitId, contract: contract.text, order };
}

async function claimAsk(
  { visits, now }: Place,
  visit: Visit,
  contract: Contract,
): Promise<DueAsk | undefined> {
  const { id: visitId, issuerId, transactionId } = visit;
  if (contract === undefined || transactionId === null || isGivenUp(visit, now)) {
    await visits.change(visitId, 'open', { status: 'unanswered', redirect: null });
    return undefined;
  }
  const asks = visit.asks + 1;
  const waitMs = nextAskMs(asks, now.getTime() - visit.endsAt.getTime());
  await visits.change(visitId, 'open', { asks, nextAskAt: after(now, waitMs) });
  const { text, simulated } = contract;
  const transaction = { transactionId, requestId: requestIdOf(visitId), issuerId };
  return { kind: 'ask', visitId, contract: text, simulated, transaction };
}

/** Keeps where the person goes. If the visit counts as lost already, nobody goes there. */
export const recordBegun = (
  ctx: VisitContext,
  ref: VerificationRef,
  visitId: string,
  { transactionId, redirectUrl }: Begun,
): Promise<void> =>
  withOpenFlow(ctx, ref, undefined, async ({ tx, scope, visits, now }) => {
    const key = await requireDataKey(ctx, tx, scope, ref.verificationId);
    const endsAt = after(now, bankTimeMs);
    await visits.change(visitId, 'asked', {
      ...{ status: 'open', transactionId, endsAt, nextAskAt: after(endsAt, askAfterEndMs) },
      redirect: key.seal(redirectBinding(visitId), redirectUrl),
    });
  });

/** The acquirer began nothing. The person may choose again at once. */
export const recordNotBegun = (ctx: VisitContext, ref: VerificationRef, visitId: string): Promise<void> =>
  withOpenFlow(ctx, ref, undefined, ({ visits }) => visits.change(visitId, 'asked', { status: 'not_begun' }));

const stepMsMin = 500;

/** The milliseconds until the next question is due. Null if no visit of an open flow waits for anything. */
export const nextStepMs = (ctx: Pick<Context, 'store'>, ref: VerificationRef): Promise<number | null> =>
  withOpenFlow(ctx, ref, null, async ({ visits, now }) => {
    const due = (await visits.open()).map(({ nextAskAt }) => nextAskAt.getTime() - now.getTime());
    return due.length === 0 ? null : Math.max(stepMsMin, Math.min(...due));
  });

type Place = { tx: Db; scope: OrgScope; visits: Visits; now: Date; verification: LockedVerification };

/** Runs the work under the lock on the verification. `otherwise` is the answer if the flow has ended, which an expired link does not. */
const withOpenFlow = <Result>(
  { store }: Pick<Context, 'store'>,
  { verificationId: id, ...ref }: VerificationRef,
  otherwise: Result,
  work: (place: Place) => Promise<Result>,
): Promise<Result> =>
  store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || !awaitsEvidence(verification)) return otherwise;
    const visits = eidTransactionsOf(scope, tx, id);
    return work({ tx, scope, visits, now: verification.now, verification });
  });
