import { globSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../machine/machine.ts';
import { queryOnce, withTemporal } from '../machine/tools.ts';
import type { Fault } from './fault.ts';
import { killAndStart } from './killed.ts';

/**
 * Loses workflows. The sweep starts deliveries that are overdue by two minutes, so the test makes them overdue at once.
 */
const lose = (name: string, how: (machine: Machine) => Promise<void>): Fault => ({
  name,
  mayRepeat: true,
  plan(machine, dice) {
    const afterMs = dice.whole(200, 900);
    return {
      detail: `after ${afterMs} ms`,
      async break() {
        await pause(afterMs);
        await how(machine);
        return true;
      },
      async mend() {
        // Verifications that were being recorded when the workflows were lost are in the database after this pause.
        await pause(4_000);
        await makeOverdue(machine);
        await killAndStart([machine.worker]);
      },
    };
  },
});

const makeOverdue = ({ databaseUrl }: Machine) =>
  queryOnce(
    databaseUrl,
    `update deliveries set next_attempt_at = now() - interval '3 minutes'
      where status in ('pending', 'retrying') and queued_at is null`,
  );

async function deleteTemporalData({ temporal, temporalFile }: Machine): Promise<void> {
  temporal.signal('SIGKILL');
  await temporal.gone();
  for (const file of globSync(`${temporalFile}*`)) rmSync(file);
  await temporal.start();
}

const terminateAll = ({ temporalAddress }: Machine) =>
  withTemporal(temporalAddress, async (client) => {
    for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus = 'Running'" }))
      await client.workflow
        .getHandle(workflowId)
        .terminate()
        .catch(() => undefined);
  });

export const lostWorkflows: readonly Fault[] = [
  lose("Temporal's data deleted", deleteTemporalData),
  lose('every workflow terminated by hand', terminateAll),
];
