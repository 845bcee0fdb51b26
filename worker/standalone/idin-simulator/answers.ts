import { hourMs } from '#contract/time.ts';
import { type AnswerKind, type Fault, faultRow, otherTransaction } from './faults.ts';
import { type KeyPair, makePair, type SimulatorKeys } from './keys.ts';
import { type Messages, messagesIn, type Style } from './messages.ts';

export type Circumstances = { style: Style; keys: SimulatorKeys; now: Date };

/** Writes the message of an answer. A fault may have changed the keys and the time. */
export type Write = (messages: Messages, given: Circumstances) => string | Promise<string>;

/** The signed answer to a question of this kind, with the fault that a tester chose for it. */
export async function answerTo(
  kind: AnswerKind,
  fault: Fault | null,
  given: Circumstances,
  write: Write,
): Promise<string> {
  const row = faultRow(fault);
  const changed = {
    style: given.style,
    keys: await keysFor(fault, given.keys),
    now: fault === 'stale' ? new Date(given.now.getTime() - hourMs) : given.now,
  };
  const messages = messagesIn(given.style, changed.keys);
  const message = await (instead(kind, fault) ?? write)(messages, changed);
  const signed = messages.sign(row.message?.(message) ?? message, row.algorithms);
  return row.answer?.(signed) ?? signed;
}

function instead(kind: AnswerKind, fault: Fault | null): Write | undefined {
  const row = faultRow(fault);
  if (row.instead === 'error')
    return (messages, { now }) => messages.error('SO1000', 'The simulator was asked to fail', now);
  if (row.instead !== 'other_message') return undefined;
  if (kind !== 'directory') return (messages, { now }) => messages.directory(now);
  return (messages, { now }) => messages.transaction(otherTransaction(kind), 'https://bank.example/', now);
}

/** Three faults need another key. */
async function keysFor(fault: Fault | null, keys: SimulatorKeys): Promise<SimulatorKeys> {
  if (fault === 'foreign-key') return { ...keys, acquirer: await stranger() };
  if (fault === 'undecryptable') return { ...keys, merchant: await stranger() };
  if (fault === 'bank-certificate-over') return { ...keys, bank: await makePair('A bank of yesterday', -1) };
  return keys;
}

let made: Promise<KeyPair> | undefined;
function stranger(): Promise<KeyPair> {
  made ??= makePair('Nobody');
  return made;
}
