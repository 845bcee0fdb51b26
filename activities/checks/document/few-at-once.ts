import type { Isolation } from '#platform/isolated/isolation.ts';
import type { Message } from '#platform/isolated/message.ts';
import type { Loss, Program } from '#platform/isolated/program.ts';
import { createPrograms, NotStarted } from '#platform/isolated/programs.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';

export type FewAtOnceOptions = {
  isolation: Isolation;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
  /** Replaces parts of the program, for tests of its failures. */
  program?: Partial<Program>;
};

export type FewAtOnce = {
  /** Says why there is no answer if the process could not be started or gave none. Rejects after `close`. The answer must be checked. */
  run(job: Message): Promise<Buffer[] | Loss | 'not_started'>;
  /** Ends the running jobs. Waiting jobs are refused. */
  close(): Promise<void>;
};

/**
 * Does jobs about documents, faces, movements and papers in the order in which they come, at most `atOnce` at the same time, each in a process of its own. So
 * the event loop of this process stays free, and the memory of a job is given back. If a process fails, only its document is lost.
 */
export function fewAtOnce(
  name: 'document' | 'masking' | 'face' | 'liveness' | 'income',
  program: Program,
  { isolation, log, instruments, program: other }: FewAtOnceOptions,
  atOnce = 1,
): FewAtOnce {
  const programs = createPrograms({
    ...{ isolation, log, instruments, name },
    program: { ...program, ...other },
    sparesMax: 0,
  });
  const waiting: (() => void)[] = [];
  let free = atOnce;
  let closed = false;

  const turn = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const passOn = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };

  return {
    async run(job) {
      await turn();
      try {
        if (closed) throw new Error(`The program for ${name} is closed`);
        return await programs.run(job).catch(orNotStarted);
      } finally {
        passOn();
      }
    },
    async close() {
      closed = true;
      await programs.close();
    },
  };
}

/** A process that could not be started did nothing, like one that died. */
function orNotStarted(error: unknown): 'not_started' {
  if (error instanceof NotStarted) return 'not_started';
  throw error;
}
