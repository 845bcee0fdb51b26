import { setTimeout as pause } from 'node:timers/promises';
import type { EidStatus, Issuer } from '#contract/eid.ts';
import type { Language } from '#contract/enums.ts';
import { isUnderWay } from '#policy/eid.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import type { Context } from '../../context.ts';
import { issuersOf } from '../../eid/contracts.ts';
import { findDataKey } from '../../personal/data-key.ts';
import { wakeRun } from '../../runs/wake-run.ts';
import type { ByLink } from '../evidence.ts';
import { redirectBinding, type Wish, wantBank } from './visits.ts';

/**
 * How far a person is with the bank. `choose`: no visit is under way; `last` says how the newest one ended. `asking`: the acquirer is asked
 * for the address. `go`: the person can go there. `waiting`: the person is back, and the bank has not said yet how it ended.
 */
export type BankStage =
  | { is: 'choose'; issuers: readonly Issuer[]; last: EidStatus | null }
  | { is: 'asking' }
  | { is: 'go' | 'waiting'; bank: string; address: string };

/** Where the person is now, by the rows. Null in sandbox without a simulator, where the page has an example bank. */
export async function bankStageOf(
  ctx: Pick<Context, 'secrets' | 'simulator'>,
  db: Db,
  { scope, id, now }: { scope: OrgScope; id: string; now: Date },
): Promise<BankStage | null> {
  if (scope.environment === 'sandbox' && ctx.simulator === undefined) return null;
  const issuers = (await issuersOf(ctx, db, scope)) ?? [];
  const [visit] = await eidTransactionsOf(scope, db, id).newest(1);
  // The row of the verification was read a moment too early. The page goes on by itself.
  if (visit?.status === 'success') return { is: 'asking' };
  if (visit === undefined || !isUnderWay(visit, now))
    return { is: 'choose', issuers, last: visit?.status ?? null };
  const key = visit.redirect && (await findDataKey(ctx, db, scope, id));
  if (!visit.redirect || !key) return { is: 'asking' };
  const address = key.open(redirectBinding(visit.id), visit.redirect).toString('utf8');
  const bank = issuers.find((issuer) => issuer.id === visit.issuerId)?.name ?? visit.issuerId;
  return { is: visit.returnedAt === null ? 'go' : 'waiting', bank, address };
}

/** True while a visit is under way, which goes on although the link has expired meanwhile. */
export async function isAtBank(
  db: Db,
  { scope, id, now }: { scope: OrgScope; id: string; now: Date },
): Promise<boolean> {
  const [visit] = await eidTransactionsOf(scope, db, id).newest(1);
  return visit !== undefined && (visit.status === 'success' || isUnderWay(visit, now));
}

const askAgainMs = 100;
/** An acquirer usually answers within a second. The page goes on by itself if it takes longer. */
const beginWaitMs = 5_000;

/** The person chose a bank. Waits a short time for the address of its page, so that the next page has it. */
export async function chooseBank(
  ctx: Pick<Context, 'store' | 'secrets' | 'temporal' | 'clock' | 'simulator'>,
  link: ByLink,
  chosen: { issuerId: string; language: Language },
): Promise<Wish> {
  const wish = await wantBank(ctx, link, chosen);
  if (wish !== 'noted') return wish;
  await wakeRun(ctx, link.id);
  const untilMs = ctx.clock.monotonicMs() + beginWaitMs;
  const stage = () => bankStageOf(ctx, ctx.store.db, { ...link, now: ctx.clock.now() });
  while ((await stage())?.is === 'asking' && ctx.clock.monotonicMs() < untilMs) await pause(askAgainMs);
  return wish;
}
