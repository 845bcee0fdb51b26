import { StartFault } from './failures.ts';

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

/** Prints an error for the operator and exits. A StartFault sets the exit code. For any other error, the exit code is 70. */
export function exitWith(error: unknown): never {
  if (error instanceof StartFault) {
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
  const name = error instanceof Error ? error.constructor.name : typeof error;
  const code = (error as { code?: unknown } | null)?.code;
  process.stderr.write(
    `Could not go on: ${name}${typeof code === 'string' ? ` (${code})` : ''}. Please report this.\n`,
  );
  process.exit(70);
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}
