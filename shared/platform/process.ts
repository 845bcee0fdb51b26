import { StartFault } from './failures.ts';

export type Running = {
  stop(): Promise<void>;
  /** Rejects when the process can no longer do its work. */
  failed?: Promise<never>;
};

/**
 * Runs until SIGINT or SIGTERM, then stops in order; a second signal ends it at once. A start that cannot succeed prints
 * its plain lines and exits with its code; no stack trace is shown.
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

/** Ends the process for an error that a command line met. */
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
