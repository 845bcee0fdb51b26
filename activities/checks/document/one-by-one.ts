import type { Isolation } from '#platform/isolated/isolation.ts';
import type { Message } from '#platform/isolated/message.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPrograms, NotStarted } from '#platform/isolated/programs.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';

export type OneByOneOptions = {
  isolation: Isolation;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
  /** Replaces parts of the program, for tests of its failures. */
  program?: Partial<Program>;
};

export type OneByOne = {
  /** Returns undefined if the process could not be started, or gave no answer. Rejects after `close`. The answer must be checked. */
  run(job: Message): Promise<Buffer[] | undefined>;
  /** Ends the running job. Waiting jobs are refused. */
  close(): Promise<void>;
};

/**
 * Does jobs about documents one after the other, each in a process of its own. So the event loop of this process stays free, and the
 * memory of a job is given back. If a process fails, only its document is lost.
 */
export function oneByOne(
  name: 'document' | 'masking',
  program: Program,
  { isolation, log, instruments, program: other }: OneByOneOptions,
): OneByOne {
  const programs = createPrograms({
    ...{ isolation, log, instruments, name },
    program: { ...program, ...other },
    sparesMax: 0,
  });
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const done = async (job: Message): Promise<Buffer[] | undefined> => {
    if (closed) throw new Error(`The program for ${name} is closed`);
    const answer = await programs.run(job).catch(unlessNotStarted);
    return Array.isArray(answer) ? answer : undefined;
  };

  return {
    run(job) {
      const result = last.then(() => done(job));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      closed = true;
      await programs.close();
    },
  };
}

/** A process that could not be started did nothing, like one that died. */
function unlessNotStarted(error: unknown): undefined {
  if (!(error instanceof NotStarted)) throw error;
}
