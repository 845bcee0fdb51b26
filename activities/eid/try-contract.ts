import type { ContractTrial } from '#contract/eid.ts';
import type { Clock } from '#platform/clock.ts';
import { certificateEnd, isSimulated, readContract } from './idin/contract.ts';
import type { Banks } from './port.ts';

type Given = {
  /** Only somebody whose own machine this is may name an address on it. */
  mayUseLoopback: boolean;
  now: Date;
};

/** Tries contracts of members. `mayUseLoopback`: their console is on their own machine. */
export const contractTrials =
  (banks: Pick<Banks, 'under'>, clock: Pick<Clock, 'now'>, mayUseLoopback = false) =>
  (text: string): Promise<ContractTrial> =>
    tryContract(banks, text, { mayUseLoopback, now: clock.now() });

/** Reads a contract and asks its acquirer for the banks, so that no contract is kept that does not work. */
async function tryContract(
  banks: Pick<Banks, 'under'>,
  text: string,
  { mayUseLoopback, now }: Given,
): Promise<ContractTrial> {
  const read = readContract(text);
  if ('faults' in read) return { is: 'faulty', faults: read.faults };
  const simulated = isSimulated(read.contract);
  if (simulated && !mayUseLoopback) return { is: 'on_loopback' };
  const certificateEndsAt = certificateEnd(read.contract);
  if (certificateEndsAt < now) return { is: 'over' };
  const kept = JSON.stringify(read.contract);
  const health = await banks.under(kept).health();
  return health.works
    ? { is: 'working', contract: { text: kept, issuers: health.issuers, simulated, certificateEndsAt } }
    : { is: 'unanswered', reason: health.reason };
}
