import { countedUpTo, type Open } from '#store/database/statements.ts';
import { type OrganisationAtWork, organisationsAtWorkOfAnyOrganisation } from '#store/overview.ts';
import { countQueueOfAnyOrganisation } from '#store/reviews/review-queue.ts';
import { countUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications/submissions.ts';
import { countOpenDeliveriesOfAnyOrganisation, type OpenDeliveries } from '#store/webhooks/deliveries.ts';
import { oldestQueuedOfAnyOrganisation } from '#store/webhooks/delivery-queue.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { overdueBefore } from '../deliveries/restart.ts';
import { type PurgeState, purgeStates } from '../retention/overdue.ts';
import { countOpenClaims, countUnmasked, countUnstarted } from './open-work.ts';

export type { OrganisationAtWork };

type OverviewContext = Pick<Context, 'store' | 'clock' | 'temporal'>;

/** What an operator looks at first. A part is null if Postgres or Temporal did not tell it in time. Each count ends at `countedUpTo`. */
export type Overview = {
  /** Running workflows by type. */
  workflows: Record<string, number> | null;
  /** Also null if there is no schedule. */
  housekeepingPaused: boolean | null;
  deliveries: OpenDeliveries | null;
  /** The age of the oldest delivery in a queue, paused endpoints apart. */
  oldestQueuedSeconds: number | null;
  submissions: Open | null;
  /** Verifications whose workflow should have started over 75 seconds ago. */
  unstarted: Open | null;
  /** Verdicts whose document is not masked yet. */
  unmasked: Open | null;
  reviews: { environment: string; waiting: number; oldestSeconds: number }[] | null;
  /** Requests without an answer for over ten minutes. */
  claims: Open | null;
  purges: PurgeState[] | null;
};

const orNull = <Found>(asked: Promise<Found>): Promise<Found | null> => asked.catch(() => null);

const patienceMs = 3_000;

/** Null if Postgres failed, or if it needed several statements and one after another was slow. */
export async function inTime<Found>(asked: Promise<Found>): Promise<Found | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), patienceMs);
  return Promise.race([orNull(asked), late.promise]).finally(() => clearTimeout(timer));
}

export async function readOverview(ctx: OverviewContext, caller: Caller): Promise<Overview> {
  assertMay(caller, 'operators.see');
  const { temporal, store } = ctx;
  const upTo = countedUpTo;
  return allOf({
    workflows: orNull(temporal.countRunning()),
    housekeepingPaused: orNull<boolean | null>(
      temporal.isHousekeepingPaused().then((isPaused) => isPaused ?? null),
    ),
    deliveries: inTime(
      countOpenDeliveriesOfAnyOrganisation(store.db, { overdueBefore: overdueBefore(ctx), upTo }),
    ),
    oldestQueuedSeconds: inTime(oldestQueuedOfAnyOrganisation(store.db)),
    submissions: inTime(countUnsettledSubmissionsOfAnyOrganisation(store.db, upTo)),
    unstarted: inTime(countUnstarted(ctx)),
    unmasked: inTime(countUnmasked(ctx)),
    reviews: inTime(countQueueOfAnyOrganisation(store.db, upTo)),
    claims: inTime(countOpenClaims(ctx)),
    purges: inTime(purgeStates(ctx)),
  });
}

type Settled<Asked> = { [Name in keyof Asked]: Awaited<Asked[Name]> };

async function allOf<Asked extends Record<string, Promise<unknown>>>(asked: Asked): Promise<Settled<Asked>> {
  const entries = Object.entries(asked).map(async ([name, each]) => [name, await each] as const);
  return Object.fromEntries(await Promise.all(entries)) as Settled<Asked>;
}

/** At most `limit` organisations by name, after the name `after`. */
export async function listAtWork(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { after, limit }: { after: string; limit: number },
): Promise<OrganisationAtWork[]> {
  assertMay(caller, 'operators.see');
  return organisationsAtWorkOfAnyOrganisation(store.db, { after, limit, countedMax: countedUpTo });
}

const pageSize = 500;

/** All organisations, by name. */
export async function* organisationsAtWork(
  ctx: Pick<Context, 'store'>,
  caller: Caller,
): AsyncGenerator<OrganisationAtWork> {
  for (let after = ''; ; ) {
    const page = await listAtWork(ctx, caller, { after, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.name;
  }
}
