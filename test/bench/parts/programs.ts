import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { median } from './figures.ts';

const voidExitCode = 3;

export const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Functions that run at the end, the last one first. */
export const stops: (() => Promise<unknown>)[] = [];
let stopping: Promise<void> | undefined;
const stopAll = () => (stopping ??= stopStarted());

/** Stops all that was started. It also runs between runs, if each run has its own servers. */
export async function stopStarted(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop().catch((error: unknown) => say(String(error)));
}

/** Starts one of our own programs, in a process that ends when this process ends. */
export async function startChild(
  file: URL,
  args: string[],
): Promise<{ child: ChildProcess; ready: unknown }> {
  const child = fork(fileURLToPath(file), args);
  child.on('error', () => undefined);
  child.once('exit', () => child.emit('error', new Error(`${file} ended by itself`)));
  stops.push(async () => {
    if (child.kill()) await new Promise((resolve) => child.once('exit', resolve));
  });
  return { child, ready: await answerOf(child) };
}

/** Resolves with the next message of the child. Fails if the child ends first. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

export function ask(child: ChildProcess, question: object): Promise<unknown> {
  const answer = answerOf(child);
  child.send(question);
  return answer;
}

/** Thrown if work was lost or done twice, so that the figures of the run say nothing. */
export class Void extends Error {}

export function sayMachine(): void {
  const load = loadavg().map((value) => value.toFixed(2));
  const model = cpus()[0]?.model ?? 'unknown';
  say(`${availableParallelism()} x ${model}; Node ${process.version}; load average ${load.join(', ')}`);
}

export const sayRatios = (name: string, ratios: number[]) =>
  say(`${name}: ${ratios.map((value) => value.toFixed(2)).join(', ')}; median ${median(ratios).toFixed(2)}`);

/** Runs a bench and stops all that it started, whatever happens. Exit code 3 means that the run was void. */
export async function runBench(measure: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().then(() => process.exit(130)));
  try {
    await measure();
  } catch (error) {
    process.exitCode = error instanceof Void ? voidExitCode : 1;
    say(error instanceof Void ? error.message : String(error));
  } finally {
    await stopAll();
  }
}
