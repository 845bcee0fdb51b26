import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Problem } from '#contract/errors.ts';
import type { Question } from './password-judge.ts';
import { inTurn, type Turn } from './password-turns.ts';

/** Guesses are tried in this many first characters. The rest of a long password can only make it stronger. */
const judgedLengthMax = 48;
/** From 0 (guessed at once) to 4. With 3, a stolen table of our slow hashes still protects the password. */
const scoreMin = 3;
/** The first answer takes a second, since the dictionaries are loaded. */
const answerMs = 8_000;

/**
 * True if the password would be guessed soon by somebody who knows common passwords, words and names, and the words in `known`. Judging
 * takes up to a second of processor time, so it has a thread of its own, and the turn of a hash. The thread starts with the first call,
 * because its dictionaries take 50 MB and most processes never set a password.
 */
export const isWeakPassword = (password: string, known: readonly string[], turn?: Turn): Promise<boolean> =>
  inTurn(async () => {
    const question: Question = { password: password.slice(0, judgedLengthMax), known: [...known] };
    return (await scoreOf(question)) < scoreMin;
  }, turn);

let thread: Worker | undefined;

/** The caller asks one question at a time. */
async function scoreOf(question: Question): Promise<number> {
  thread ??= startThread();
  try {
    thread.postMessage(question);
    const [score] = await once(thread, 'message', { signal: AbortSignal.timeout(answerMs) });
    return score;
  } catch (error) {
    const lost = thread;
    thread = undefined;
    await lost?.terminate();
    throw (error as Error).name === 'AbortError' ? new Problem('overloaded') : error;
  }
}

/** It has no environment, since it needs no secret, and keeps no process alive. */
function startThread(): Worker {
  const started = new Worker(new URL('./password-judge.ts', import.meta.url), { env: {}, execArgv: [] });
  started.unref();
  return started;
}
