import { randomLetters } from '#platform/crypto/random.ts';
import type { Fault } from './faults.ts';
import type { Memory } from './memory.ts';
import { type Persona, personaOf } from './personas.ts';

export type Status = 'Open' | 'Pending' | 'Success' | 'Failure' | 'Expired' | 'Cancelled';

export type SimulatedTransaction = {
  readonly id: string;
  readonly requestId: string;
  readonly issuerId: string;
  readonly returnUrl: string;
  readonly entranceCode: string;
  readonly language: string;
  readonly expiresAt: number;
  status: Status;
  /** The status after the next question. */
  next: Status | null;
  persona: Persona;
  /** The fault of the answer about it, as the person chose it with the decision. */
  fault: Fault | null;
  /** When the person decided, in milliseconds since 1970. The bank makes its statement then, however late it is asked for. */
  decidedAt: number | null;
};

/** What a person can do on the page of the bank. */
export const choices = ['success', 'cancel', 'expire', 'fail', 'pending'] as const;
export type Choice = (typeof choices)[number];

const outcomes: Readonly<Record<Choice, Status>> = {
  success: 'Success',
  cancel: 'Cancelled',
  expire: 'Expired',
  fail: 'Failure',
  pending: 'Pending',
};

const keptMax = 1_000;

const noMemory: Memory<readonly SimulatedTransaction[]> = { read: () => [], write: () => undefined };

/** The transactions of a simulator. The oldest are forgotten. */
export function createTransactions(memory = noMemory) {
  const all = new Map(memory.read().map((each) => [each.id, each]));
  const keep = () => memory.write([...all.values()]);
  return {
    open(
      begun: Pick<
        SimulatedTransaction,
        'requestId' | 'issuerId' | 'returnUrl' | 'entranceCode' | 'language' | 'expiresAt'
      >,
    ): SimulatedTransaction {
      const id = `0099${randomLetters('0123456789', 12)}`;
      const made = {
        ...{ ...begun, id, status: 'Open' as const, next: null, persona: personaOf(null) },
        ...{ fault: null, decidedAt: null },
      };
      all.set(id, made);
      for (const [oldest] of all) if (all.size > keptMax) all.delete(oldest);
      keep();
      return made;
    },

    find: (id: string): SimulatedTransaction | undefined => all.get(id),

    /** A transaction is decided once. */
    decide(
      transaction: SimulatedTransaction,
      { choice, persona, fault, at }: { choice: Choice; persona: Persona; fault: Fault | null; at: number },
    ): void {
      if (transaction.status !== 'Open') return;
      transaction.status = outcomes[choice];
      transaction.next = choice === 'pending' ? 'Success' : null;
      transaction.persona = persona;
      transaction.decidedAt = at;
      transaction.fault = fault;
      keep();
    },

    /** The status as a question finds it. */
    ask(transaction: SimulatedTransaction, now: number): Status {
      if (transaction.status === 'Open' && now >= transaction.expiresAt) transaction.status = 'Expired';
      const { status, next } = transaction;
      if (next !== null) Object.assign(transaction, { status: next, next: null });
      keep();
      return status;
    },
  };
}
export type Transactions = ReturnType<typeof createTransactions>;
