import { describeFault, exitCodes, type FaultCode, faultCodeOf, StartFault } from './failures.ts';

export type Running = {
  stop(): Promise<void>;
  /** Rejects if the process can no longer do its work. */
  failed?: Promise<never>;
};

/**
 * Runs the process until a signal (SIGINT or SIGTERM) arrives or `failed` rejects. Then calls `stop`. A signal during `stop` ends
 * the process immediately with exit code 130. A signal during `start` ends the process with exit code 0, without a call of `stop`.
 * If `start` fails or `failed` rejects, `exitWith` prints the error and sets the exit code.
 */
export async function runUntilSignal(start: () => Promise<Running>): Promise<never> {
  const signalled = nextSignal();
  try {
    const running = await Promise.race([start(), signalled.then(() => undefined)]);
    if (running === undefined) process.exit(0);
    const failure = await Promise.race([signalled.then(() => undefined), failureOf(running)]);
    void nextSignal().then(() => process.exit(130));
    await running.stop();
    if (failure !== undefined) throw failure;
    process.exit(0);
  } catch (error) {
    exitWith(error);
  }
}

const failureOf = ({ failed }: Running): Promise<unknown> =>
  failed === undefined ? new Promise(() => undefined) : failed.catch((error: unknown) => error);

const silent: Partial<Record<FaultCode, string>> = {
  database_unavailable:
    'The database gave no answer. Is it running, and is DATABASE_URL right? Then try again.',
  temporal_unavailable:
    'Temporal gave no answer. Is it running, and is TEMPORAL_ADDRESS right? Then try again.',
};

/**
 * Prints an error for the operator and exits. A StartFault has its own exit code. If a server gives no answer, the exit code is 69. For
 * any other error it is 70, and the place in the code is printed. The message is not, since it can quote a row.
 */
export function exitWith(error: unknown): never {
  if (error instanceof StartFault) endWith(error.message, error.exitCode);
  const [{ name, code, at = [] } = { name: typeof error }] = describeFault(error);
  const inBrackets = typeof code === 'string' ? ` (${code})` : '';
  const noAnswer = silent[faultCodeOf(error)];
  if (noAnswer !== undefined) endWith(`${noAnswer}${inBrackets}`, exitCodes.unavailable);
  endWith([`Could not go on: ${name}${inBrackets}. Please report this.`, ...at].join('\n'), 70);
}

function endWith(text: string, exitCode: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}
