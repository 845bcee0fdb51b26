import { readFile } from 'node:fs/promises';
import {
  certificateEnd,
  type IdinContract,
  isSimulated,
  readContract as readText,
  thumbprintOf,
} from '#activities/eid/idin/contract.ts';
import { dayMs } from '#contract/time.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { misused, note } from './command-line.ts';

const renewWithinDays = 30;

/** Reads a contract from a file, and tells the operator what it is. Throws `StartFault` if it cannot work. */
export async function readContract(file: string, usage: string): Promise<IdinContract> {
  const given = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw misused(usage, `The contract cannot be read (${error.code}).`);
  });
  const read = readText(given);
  if ('faults' in read)
    throw new StartFault(['The contract is not usable:', ...read.faults].join('\n'), exitCodes.config);
  describe(read.contract);
  return read.contract;
}

/** A bank encrypts nothing for a certificate that is over, and a new one takes an acquirer days. */
function describe(contract: IdinContract): void {
  const simulated = isSimulated(contract) ? ' (a simulator)' : '';
  note(`Merchant ${contract.merchantId}, at ${new URL(contract.directoryUrl).host}${simulated}`);
  const days = Math.floor((certificateEnd(contract).getTime() - Date.now()) / dayMs);
  if (days < 0) throw new StartFault('The certificate of the contract is over: renew it.', exitCodes.config);
  const advice = days < renewWithinDays ? ': renew it now' : '';
  note(`Certificate ${thumbprintOf(contract.certificate)}: ${days} days left${advice}`);
}
