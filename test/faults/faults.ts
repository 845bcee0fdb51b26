import { globSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machine.ts';
import { apiPoints, type CrashPoint, receiverPoints, workerPoints } from './parts/points.ts';
import type { Part } from './servers.ts';
import { queryOnce, withTemporal } from './tools.ts';

/** One way to break the machine and to repair it. */
export type Fault = {
  name: string;
  /** True if a receiver may get an event again after a 2xx, because the answer can be lost. */
  mayRepeat: boolean;
  /** Breaks the machine while `load` runs, and repairs it. Returns false if the moment for the fault never came. */
  strike(machine: Machine, arrival: number, load: () => void): Promise<boolean>;
};

const awaitedMs = 15_000;

const never = () => pause(awaitedMs, false, { ref: false });

function dieAt(part: 'api' | 'worker', point: CrashPoint): Fault {
  return {
    name: point,
    mayRepeat: part === 'worker',
    async strike(machine, arrival, load) {
      const victim = machine[part];
      await victim.order({ point, arrival });
      load();
      const hit = await Promise.race([victim.gone().then(() => true), never()]);
      await (hit ? victim.start() : victim.order(undefined));
      return hit;
    },
  };
}

function dieWhenReceiverSees(point: CrashPoint): Fault {
  return {
    name: point,
    mayRepeat: true,
    async strike({ receiver, worker }, arrival, load) {
      await receiver.order({ point, arrival });
      const seen = receiver.hit().then(
        () => true,
        () => false,
      );
      load();
      const hit = await Promise.race([seen, never()]);
      if (hit) await killAndStart([worker]);
      else await receiver.order(undefined);
      return hit;
    },
  };
}

type Named = 'api' | 'worker' | 'temporal' | 'postgres';

function kill(name: string, mayRepeat: boolean, parts: Named[]): Fault {
  return {
    name,
    mayRepeat,
    async strike(machine, arrival, load) {
      load();
      await pause(100 + arrival * 150);
      await killAndStart(parts.map((part) => machine[part]));
      return true;
    },
  };
}

function freeze(part: 'api' | 'worker' | 'temporal', ms: number): Fault {
  return {
    name: `${part} frozen for ${ms / 1_000} s`,
    mayRepeat: part !== 'api',
    async strike(machine, arrival, load) {
      load();
      await pause(arrival * 100);
      machine[part].signal('SIGSTOP');
      await pause(ms);
      machine[part].signal('SIGCONT');
      return true;
    },
  };
}

/** Kills the parts at one moment, then starts them one after the other, since the worker does not start without its servers. */
async function killAndStart(parts: Part[]): Promise<void> {
  for (const part of parts) part.signal('SIGKILL');
  await Promise.all(parts.map((part) => part.gone()));
  for (const part of parts) await part.start();
}

/**
 * Loses workflows during a load. The sweep starts deliveries that are overdue by two minutes, so the test makes them overdue at
 * once.
 */
function lose(name: string, how: (machine: Machine) => Promise<void>): Fault {
  return {
    name,
    mayRepeat: true,
    async strike(machine, arrival, load) {
      load();
      await pause(200 + arrival * 200);
      await how(machine);
      // Verifications that were being recorded when the workflows were lost are in the database after this pause.
      await pause(4_000);
      await makeOverdue(machine);
      await killAndStart([machine.worker]);
      return true;
    },
  };
}

export const makeOverdue = ({ databaseUrl }: Machine) =>
  queryOnce(
    databaseUrl,
    `update deliveries set next_attempt_at = now() - interval '3 minutes' where status in ('pending', 'retrying')`,
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

export const faults: readonly Fault[] = [
  ...apiPoints.map((point) => dieAt('api', point)),
  ...workerPoints.map((point) => dieAt('worker', point)),
  ...receiverPoints.map(dieWhenReceiverSees),
  kill('API killed', false, ['api']),
  kill('worker killed', true, ['worker']),
  kill('Temporal killed', true, ['temporal']),
  kill('Postgres killed', true, ['postgres']),
  kill('everything killed at once', true, ['postgres', 'temporal', 'api', 'worker']),
  freeze('worker', 3_000),
  freeze('temporal', 3_000),
  lose("Temporal's data deleted", deleteTemporalData),
  lose('every workflow terminated by hand', terminateAll),
];
