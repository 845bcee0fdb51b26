import type { Dice } from '../dice.ts';
import type { Machine } from '../machine/machine.ts';

/** One kind of fault. A new kind is a file in this folder and a line in `faults.ts`. */
export type Fault = {
  name: string;
  /** True if a receiver may get an event again after a 2xx, because the answer or its record can be lost. */
  mayRepeat: boolean;
  /** True if the request of an attempt may leave after the next attempt began, because its process stood still. */
  maySendLate?: boolean;
  /** True if a database comes back older. Then the operator runs the repair of the runbook after the rounds. */
  needsRepair?: boolean;
  /** Says why the fault cannot happen on this machine. */
  missing?: string | undefined;
  /** Decides what happens in one round, and does nothing yet. */
  plan(machine: Machine, dice: Dice): Strike;
};

export type Strike = {
  /** What the dice decided, in words. */
  detail: string;
  /** The load is spread over this time. */
  loadMs?: number;
  /** Runs before the load begins. */
  prepare?(): Promise<void>;
  /** Runs while the load runs. Returns false if the moment for the fault never came. */
  break(): Promise<boolean>;
  /** Repairs the machine. */
  mend(hit: boolean): Promise<void>;
  /** What a database has forgotten in this round. It is asked for after `mend`. */
  lost?(): Lost;
};

/**
 * The time that a database has forgotten (epoch milliseconds). What was acknowledged in it may be missing, and what was sent in it
 * may be sent again.
 */
export type Lost = { from: number; to: number };
