import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Isolation } from './isolation.ts';
import { encodeMessage, type Message, messagesOf, piecesOf } from './message.ts';

export type Program = {
  /** The file, which calls `serve`, or `serveGiven` if it is given something. */
  file: URL;
  /** What the program needs before it is ready. It is the same each time and comes from no picture. */
  given?: (() => Promise<Message>) | undefined;
  /** The time within which the program must be ready, and within which it must answer. */
  readyMs: number;
  jobMs: number;
  /** The largest answer, with the sizes in it. */
  answerBytesMax: number;
  /**
   * The limit of the kernel on writable memory (RLIMIT_DATA), which no program can raise. Node alone counts 570 MB, of which it uses
   * 45 MB. Systems other than Linux ignore this limit.
   */
  memoryBytesMax: number;
  /** The processor time that it may use. By default twice the time of a job, as two threads could. */
  processorMs?: number;
  /** True if nobody waits for it. It then leaves the processor to whatever else there is to do. */
  isBackground?: boolean;
};

/** Why a program gave no answer. */
export type Loss = 'died' | 'late' | 'nonsense';

export type RunningProgram = {
  readonly pid: number | undefined;
  readonly alive: boolean;
  /** Resolves with false if the program ended or took too long before it was ready. */
  ready: Promise<boolean>;
  /** Sends the only job. The answer is what the program says, so it must be checked. */
  answerTo(job: Message): Promise<Buffer[] | Loss>;
  /** Ends the program at once. Resolves when it has ended. */
  end(): Promise<void>;
};

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Limits memory and processor time, and then becomes the program. A program that loops ends by itself if nobody is left to end it.
 * A limit that is already lower stays.
 */
const limited = 'ulimit -d "$0" 2>/dev/null; ulimit -t "$1" 2>/dev/null; shift; exec "$@"';

/** The libraries may be a link to another folder. */
const readable = [root, realpathSync(join(root, 'node_modules'))];

/**
 * What Node itself refuses to JavaScript: files outside the product, writing, processes and threads. Native code is held by the rest
 * of the isolation alone. The warning says just that.
 */
const permissions = [
  '--permission',
  '--allow-addons',
  ...readable.map((folder) => `--allow-fs-read=${join(folder, '*')}`),
  '--disable-warning=PERM0001',
];

/**
 * Starts a program with nothing of this process but two pipes: no environment, no open file, no folder. Its errors go nowhere, since
 * they could quote what it reads.
 */
export function startProgram({ wrapper }: Isolation, program: Program): RunningProgram {
  const memory = String(Math.floor(program.memoryBytesMax / 1024));
  const processorSeconds = String(Math.ceil((program.processorMs ?? 2 * program.jobMs) / 1000));
  const command = [...wrapper, process.execPath, ...permissions, fileURLToPath(program.file)];
  const child = spawned(['-c', limited, memory, processorSeconds, ...command]);
  if (child === undefined) return notStarted;
  if (program.given !== undefined) void give(child, program.given);
  if (program.isBackground && child.pid !== undefined) stepBack(child.pid);
  const messages = messagesOf(child.stdout, program.answerBytesMax);
  const next = async (ms: number): Promise<Buffer[] | Loss> => {
    const said = await within(ms, nextOf(messages));
    if (!Array.isArray(said)) child.kill('SIGKILL');
    return said;
  };
  const ready = next(program.readyMs).then((said) => Array.isArray(said) && said.length === 0);
  const ended = new Promise((resolve) => child.once('exit', resolve));

  return {
    pid: child.pid,
    ready,
    get alive() {
      return child.exitCode === null && child.signalCode === null;
    },
    answerTo(job) {
      child.stdin.write(encodeMessage(job));
      return next(program.jobMs);
    },
    async end() {
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Writes each piece as it is. All programs that start are so given the same bytes of this process, of which the pipe has only a small part at
 * a time. A program that has ended is given nothing, and one that cannot be given what it needs is ended.
 */
async function give(child: Child, given: () => Promise<Message>): Promise<void> {
  try {
    for (const piece of piecesOf(await given())) child.stdin.write(piece);
  } catch {
    child.kill('SIGKILL');
  }
}

/** About a tenth of the share of another process, where both have something to do. */
const niceness = 10;

/**
 * Lowers the priority of a process that has just begun, and of all that it becomes. Each program has a session of its own. Where the kernel
 * shares the processor among sessions first, the session counts. Where neither can be lowered, the program runs as any other.
 */
function stepBack(pid: number): void {
  for (const lower of [
    () => setPriority(pid, niceness),
    () => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)),
  ])
    try {
      lower();
    } catch {
      // The next way may be there.
    }
}

const notStarted: RunningProgram = {
  pid: undefined,
  alive: false,
  ready: Promise.resolve(false),
  answerTo: async () => 'died',
  end: async () => undefined,
};

type Child = ChildProcessByStdio<Writable & Unrefable, Readable & Unrefable, null>;
type Unrefable = { unref?(): void };

/** Returns undefined if the machine has no process or no file descriptor left. The program does not keep this process alive. */
function spawned(words: readonly string[]): Child | undefined {
  try {
    const child: Child = spawn('/bin/sh', words, {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      // Ctrl-C in a terminal must not reach the program while the product still finishes its work.
      detached: true,
    });
    child.on('error', () => undefined);
    if (child.pid === undefined) return undefined;
    child.stdin.on('error', () => undefined);
    child.unref();
    child.stdin.unref?.();
    child.stdout.unref?.();
    return child;
  } catch {
    return undefined;
  }
}

async function nextOf(messages: AsyncGenerator<Buffer[]>): Promise<Buffer[] | Loss> {
  try {
    return (await messages.next()).value ?? 'died';
  } catch {
    return 'nonsense';
  }
}

async function within<Result>(ms: number, result: Promise<Result>): Promise<Result | 'late'> {
  const over = new AbortController();
  try {
    return await Promise.race([result, pause(ms, 'late' as const, over)]);
  } finally {
    over.abort();
  }
}
