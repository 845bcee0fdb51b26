import { answerTo, type Circumstances } from './answers.ts';
import { faultRow, otherTransaction } from './faults.ts';
import { assertionOf, responseOf, statementOf } from './messages.ts';
import type { SimulatedTransaction, Status } from './transactions.ts';

/** A transaction of a simulator before this version has no time of the decision. */
type Decided = Pick<SimulatedTransaction, 'id' | 'requestId' | 'issuerId' | 'persona' | 'fault'> &
  Partial<Pick<SimulatedTransaction, 'decidedAt'>>;

/** The answer about a transaction, with the fault that a tester chose for it. */
export function statusAnswer(transaction: Decided, status: Status, given: Circumstances): Promise<string> {
  const { fault } = transaction;
  const id = fault === 'replayed' ? otherTransaction(transaction.id) : transaction.id;
  const isStated = status === 'Success' && faultRow(fault).instead === undefined;
  return answerTo('status', fault, given, async (messages, { keys, now }) => {
    // The bank stated what it states at its own time, also in an old message.
    const container = isStated ? await containerOf(transaction, { ...given, keys }) : null;
    return messages.status(id, status, container, now);
  });
}

async function containerOf(transaction: Decided, { style, keys, now }: Circumstances): Promise<string> {
  const row = faultRow(transaction.fault);
  const stated = new Date(transaction.decidedAt ?? now);
  const usual = statementOf(transaction, transaction.persona.attributes, stated);
  const statement = { ...usual, ...row.statement?.(usual, stated) };
  const assertion = await assertionOf(transaction.id, statement, {
    ...{ style, keys, now: stated },
    sealed: row.sealed,
  });
  return responseOf(transaction.id, statement, row.assertion?.(assertion) ?? assertion, style, now);
}
