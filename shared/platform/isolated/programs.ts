import type { Log } from '../log.ts';
import type { Instruments } from '../telemetry/instruments.ts';
import type { Isolation } from './isolation.ts';
import type { Message } from './message.ts';
import { type Loss, type Program, type RunningProgram, startProgram } from './program.ts';

/** The program could not be started, which says nothing about the job. */
export class NotStarted extends Error {
  override message = 'An isolated program could not be started';
}

export type Programs = {
  /**
   * Does one job in a process of its own, which ends with the job. So nothing of a job is left to the next one. Returns a loss if the
   * process gave no answer, and throws `NotStarted` if no process could be started. The answer must be checked.
   */
  run(job: Message): Promise<Buffer[] | Loss>;
  /** Says that a job may come soon. It matters only if `spareMs` is set. */
  expect(): void;
  /** Ends all processes. */
  close(): Promise<void>;
};

type Options = {
  isolation: Isolation;
  program: Program;
  /** The name of the program in the log and in metrics. */
  name: 'picture' | 'document' | 'face' | 'masking' | 'liveness' | 'look' | 'eid' | 'income';
  /** How many processes are started ahead, so that a job does not wait for the start. */
  sparesMax: number;
  /** If set, processes are started ahead only for this time after a job was expected. An idle product then has none. */
  spareMs?: number;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
};

/** Why a job got no answer. */
const reasons = ['died', 'late', 'nonsense', 'not_started'] as const;

export function createPrograms(options: Options): Programs {
  const { isolation, program, name, log, instruments } = options;
  const running = new Set<RunningProgram>();
  let closed = false;

  for (const reason of reasons) instruments.programsLost.add(0, { program: name, reason });
  const lost = (reason: (typeof reasons)[number]): void => {
    instruments.programsLost.add(1, { program: name, reason });
    if (reason === 'not_started') log.error({ program: name }, 'an isolated program could not be started');
    else log.warn({ program: name, reason }, 'an isolated program gave no answer');
  };

  const started = (): RunningProgram => {
    const one = startProgram(isolation, program);
    running.add(one);
    return one;
  };

  const ended = async (one: RunningProgram): Promise<void> => {
    await one.end();
    running.delete(one);
  };

  const spares = sparesOf(options, { started, ended, notStarted: () => lost('not_started') });

  const answered = async (one: RunningProgram, job: Message): Promise<Buffer[] | Loss> => {
    if (!(await one.ready)) {
      lost('not_started');
      throw new NotStarted();
    }
    const answer = await one.answerTo(job);
    if (!Array.isArray(answer) && !closed) lost(answer);
    return answer;
  };

  return {
    expect: () => {
      if (!closed) spares.expect();
    },
    async run(job) {
      if (closed) throw new NotStarted();
      const one = spares.next();
      try {
        return await answered(one, job);
      } finally {
        await ended(one);
        void spares.prepare();
      }
    },
    async close() {
      closed = true;
      spares.close();
      await Promise.all([...running].map(ended));
    },
  };
}

type Starting = {
  started(): RunningProgram;
  ended(one: RunningProgram): Promise<void>;
  notStarted(): void;
};

/** The processes that were started ahead. */
function sparesOf(
  { sparesMax, spareMs }: Pick<Options, 'sparesMax' | 'spareMs'>,
  { started, ended, notStarted }: Starting,
) {
  let spares: RunningProgram[] = [];
  let isExpected = spareMs === undefined;
  let idle: NodeJS.Timeout | undefined;

  /** A spare that cannot be started is reported at once, so that an operator learns of it before a person does. */
  const prepare = async (): Promise<void> => {
    spares = spares.filter(({ alive }) => alive);
    if (!isExpected || spares.length >= sparesMax) return;
    const spare = started();
    spares.push(spare);
    if ((await spare.ready) || !spares.includes(spare)) return;
    spares = spares.filter((one) => one !== spare);
    notStarted();
    await ended(spare);
  };

  const dismiss = (): void => {
    isExpected = false;
    for (const spare of spares.splice(0)) void ended(spare);
  };

  const next = (): RunningProgram => {
    const spare = spares.shift();
    return spare === undefined || spare.alive ? (spare ?? started()) : next();
  };

  void prepare();
  return {
    next,
    prepare,
    expect(): void {
      if (spareMs === undefined) return;
      isExpected = true;
      clearTimeout(idle);
      idle = setTimeout(dismiss, spareMs).unref();
      void prepare();
    },
    /** No process is started ahead after this. The caller ends those that run. */
    close(): void {
      clearTimeout(idle);
      isExpected = false;
      spares = [];
    },
  };
}
