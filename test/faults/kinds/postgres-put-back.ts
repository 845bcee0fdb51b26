import { setTimeout as pause } from 'node:timers/promises';
import { backUpCluster, putBackCluster } from '../machine/point-in-time.ts';
import { queryOnce } from '../machine/tools.ts';
import type { Fault } from './fault.ts';

const lostMs = 10_000;

/**
 * Postgres fails, and what takes its place knows everything but the last ten seconds. API, worker and Temporal run on and know more
 * than their database.
 */
export const postgresPutBack: Fault = {
  name: 'Postgres put back by ten seconds',
  mayRepeat: true,
  needsRepair: true,
  plan(machine, dice) {
    const ms = lostMs + dice.whole(500, 4_000);
    const lost = { from: 0, to: 0 };
    return {
      detail: `${ms} ms after the load began`,
      loadMs: ms,
      prepare: () => backUpCluster(machine),
      async break() {
        await pause(ms);
        // Recovery ends at the first commit after its target, so there must be one.
        await queryOnce(
          machine.databaseUrl,
          `select pg_logical_emit_message(true, 'faults', 'the last commit')`,
        );
        lost.from = Date.now() - lostMs;
        machine.postgres.signal('SIGKILL');
        await machine.postgres.gone();
        return true;
      },
      async mend() {
        await putBackCluster(machine, new Date(lost.from));
        lost.to = Date.now();
      },
      lost: () => lost,
    };
  },
};
