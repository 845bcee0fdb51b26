import { countOpenDeliveriesOfAnyOrganisation } from '#store/deliveries.ts';
import { ledgerLinesOfAnyOrganisation } from '#store/ledger.ts';
import { countOpenClaimsOfAnyOrganisation } from '#store/requests.ts';
import {
  countCompletedWithoutEventOfAnyOrganisation,
  knownVerificationsOfAnyOrganisation,
} from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { overdueBefore } from '../deliveries/start.ts';
import { beginning, lineHash } from '../ledger/append.ts';
import { firstId, inBatches } from '../lists/in-batches.ts';

export type Inspection = {
  overdueDeliveries: number;
  /**
   * Ids of verifications that have a running workflow but no row, for example after a restore of the database to an older state.
   */
  orphanedWorkflows: string[];
  openClaims: number;
  completedWithoutEvent: number;
  brokenChains: string[];
};

const batchSize = 500;
const claimOpenMs = 600_000;

/** Compares the database with Temporal, and computes the hashes of the ledger again. It changes nothing. */
export async function inspect(ctx: Pick<Context, 'store' | 'temporal' | 'clock'>): Promise<Inspection> {
  const { store, clock } = ctx;
  const claimedBefore = new Date(clock.now().getTime() - claimOpenMs);
  return {
    overdueDeliveries: (await countOpenDeliveriesOfAnyOrganisation(store.db, overdueBefore(ctx))).overdue,
    orphanedWorkflows: await orphanedWorkflows(ctx),
    openClaims: await countOpenClaimsOfAnyOrganisation(store.db, claimedBefore),
    completedWithoutEvent: await countCompletedWithoutEventOfAnyOrganisation(store.db),
    brokenChains: await brokenChains(ctx),
  };
}

async function orphanedWorkflows({
  store,
  temporal,
}: Pick<Context, 'store' | 'temporal'>): Promise<string[]> {
  const orphans: string[] = [];
  let batch: string[] = [];
  const sift = async () => {
    if (batch.length === 0) return;
    const known = await knownVerificationsOfAnyOrganisation(store.db, batch);
    orphans.push(...batch.filter((id) => !known.has(id)));
    batch = [];
  };
  for await (const id of temporal.runningVerifications()) {
    batch.push(id);
    if (batch.length === batchSize) await sift();
  }
  await sift();
  return orphans;
}

type Line = Awaited<ReturnType<typeof ledgerLinesOfAnyOrganisation>>[number];

/**
 * Returns the subjects whose ledger lines no longer form a chain, because a line was changed, removed or inserted. A removal of the
 * last lines of a chain is not detected.
 */
async function brokenChains({ store }: Pick<Context, 'store'>): Promise<string[]> {
  const broken = new Set<string>();
  const batches = inBatches(
    { subjectId: firstId, sequence: 0 },
    batchSize,
    (after, limit) => ledgerLinesOfAnyOrganisation(store.db, after, limit),
    (line) => line,
  );
  let last: Line | undefined;
  for await (const batch of batches)
    for (const line of batch) {
      if (!follows(line, last)) broken.add(line.subjectId);
      last = line;
    }
  return [...broken];
}

/** `last` is the line before `line` in the result of the query. It may belong to another subject. */
function follows(line: Line, last: Line | undefined): boolean {
  const { subjectId, type, data, createdAt: at } = line;
  const previous = last?.subjectId === subjectId ? last : beginning;
  return (
    line.sequence === previous.sequence + 1 &&
    line.previousHash.equals(previous.hash) &&
    line.hash.equals(lineHash(previous, { subjectId, type, data, at }))
  );
}
