import { Problem } from '#contract/errors.ts';
import type { WorkflowStep } from '#platform/temporal/steps.ts';
import { type LedgerRow, ledgerOf } from '#store/ledger.ts';
import { type DossierRows, dossierOf } from '#store/verifications/dossiers.ts';
import { actorNames } from '../acts/actor-names.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';

type Delivery = DossierRows['deliveries'][number];

/** One line of the history of a verification, with its source. */
export type HistoryLine = { at: Date } & (
  | { source: 'ledger'; line: LedgerRow }
  | { source: 'event'; event: DossierRows['events'][number] }
  | { source: 'attempt'; delivery: Delivery; attempt: Delivery['attempts'][number] }
  | { source: 'workflow'; step: WorkflowStep }
);

/**
 * `workflowSeen` is false if Temporal did not answer. The lines are then those of the database alone. `names` are those of the members and
 * keys that the lines name.
 */
export type History = {
  lines: HistoryLine[];
  deliveries: Delivery[];
  workflowSeen: boolean;
  names: ReadonlyMap<string, string>;
};

/**
 * Everything that happened to a verification on one time line, oldest first: the ledger, the events, each attempt of each delivery, and
 * the steps of the workflow for as long as Temporal keeps them. Throws if the organisation has no chain of this id. Whoever calls this has
 * read the row, so it is not read again.
 */
export async function historyOf(
  { store, temporal }: Pick<Context, 'store' | 'temporal'>,
  caller: Caller,
  { id }: { id: string },
): Promise<History> {
  assertMay(caller, 'verifications.open');
  const { scope } = caller;
  const rows = dossierOf(scope, store.db, id);
  const steps = temporal.stepsOfVerification(id).catch(() => undefined);
  const [ledger, events, deliveries] = await Promise.all([
    ledgerOf(scope, store.db).lines(id),
    rows.events(),
    rows.deliveries(),
  ]);
  if (ledger.length === 0) throw new Problem('verification_not_found');
  const [workflow, names] = await Promise.all([steps, actorNames(store.db, scope, ledger)]);
  const lines: HistoryLine[] = [
    ...ledger.map((line) => ({ at: line.createdAt, source: 'ledger' as const, line })),
    ...events.map((event) => ({ at: event.createdAt, source: 'event' as const, event })),
    ...deliveries.flatMap((delivery) =>
      delivery.attempts.map((attempt) => ({
        at: new Date(attempt.startedAt),
        ...{ source: 'attempt' as const, delivery, attempt },
      })),
    ),
    ...(workflow ?? []).map((step) => ({ at: step.at, source: 'workflow' as const, step })),
  ];
  return {
    lines: lines.sort((a, b) => a.at.getTime() - b.at.getTime()),
    deliveries,
    workflowSeen: workflow !== undefined,
    names,
  };
}
