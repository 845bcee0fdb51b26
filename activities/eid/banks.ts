import type { Clock } from '#platform/clock.ts';
import type { AddressRules } from '#platform/outbound/addresses.ts';
import { createIdin } from './idin/adapter.ts';
import { IdinContract, isSimulated } from './idin/contract.ts';
import { createPost } from './idin/post.ts';
import { createAnswerReader } from './idin/reader.ts';
import { parseReturn } from './idin/return.ts';
import type { Banks } from './port.ts';

type Options = Parameters<typeof createAnswerReader>[0] & {
  /** The addresses of acquirers that may be reached, since members name them. A simulator is on loopback, and may always be. */
  addresses: AddressRules;
  /** Judges the times in the banks' answers, which must not depend on the clock of one machine. */
  clock: Pick<Clock, 'now'>;
};

/** Starts what speaks to banks. It reads their answers in isolated programs, which start when there is an answer to read. */
export function startBanks({ addresses, clock, ...isolated }: Options): Banks {
  const reader = createAnswerReader(isolated);
  const [toBanks, toSimulator] = [createPost({ rules: addresses }), createPost()];
  return {
    under(text) {
      const contract = IdinContract.parse(JSON.parse(text));
      return createIdin(contract, {
        reader,
        post: isSimulated(contract) ? toSimulator : toBanks,
        now: clock.now,
      });
    },
    parseReturn,
    close: reader.close,
  };
}
