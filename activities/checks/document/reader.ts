import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import type { Check } from '#contract/workflows.ts';
import type { DocumentPictures, DocumentReader } from '../port.ts';
import { readGlyphs } from './glyphs.ts';
import type { Grey } from './grey.ts';
import type { Job, Result } from './job.ts';

export type ReaderLimits = {
  /** A job that takes longer is terminated together with its thread. */
  jobMs: number;
  /** A thread without work is terminated after this time, to free its memory. */
  idleMs: number;
};

const limits: ReaderLimits = { jobMs: 60_000, idleMs: 300_000 };

/**
 * Examines documents one after the other in a separate thread, so that the event loop of the process stays free. The thread starts
 * with the first document. If the thread fails, only the current job is lost, and the next document starts a new thread.
 */
export function startDocumentReader({ jobMs, idleMs }: ReaderLimits = limits): DocumentReader {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  return {
    check(pictures, today) {
      const result = last.then(() => examined(pictures, today));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      closed = true;
      await endThread();
    },
  };

  async function examined(pictures: DocumentPictures, today: Date): Promise<Check[]> {
    const job = { pictures: await decodedSides(pictures), today: calendarDay(today) };
    clearTimeout(idle);
    try {
      return await answerTo(job);
    } finally {
      idle = setTimeout(() => void endThread(), idleMs).unref();
    }
  }

  async function answerTo(job: Job): Promise<Check[]> {
    const glyphs = await readGlyphs();
    if (closed) throw new Error('The document reader is closed');
    thread ??= startThread(glyphs);
    const checks = await answerOf(thread, job, jobMs);
    if (checks === undefined) throw new Error('The document could not be examined');
    return checks;
  }

  function startThread(glyphs: Uint8Array[]): Worker {
    // The output of libraries is discarded, since it could contain text of the document.
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { glyphs },
      stdout: true,
      stderr: true,
    });
    started.unref();
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  async function endThread(): Promise<void> {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }
}

/** Returns undefined if the examination failed, or if the thread ended or took too long. */
async function answerOf(thread: Worker, job: Job, jobMs: number): Promise<Check[] | undefined> {
  const over = new AbortController();
  const deadline = setTimeout(() => void thread.terminate(), jobMs);
  const answered = once(thread, 'message', over).then(([result]: Result[]) => result?.checks);
  const died = once(thread, 'exit', over).then(() => undefined);
  try {
    thread.postMessage(
      job,
      job.pictures.map(({ pixels }) => pixels.buffer),
    );
    return await Promise.race([answered, died]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(deadline);
    over.abort();
  }
}

async function decodedSides({ front, back }: DocumentPictures): Promise<Grey[]> {
  const sides = [front, back].filter((side) => side !== null);
  return (await Promise.all(sides.map(decoded))).filter((side) => side !== undefined);
}

/** Returns undefined if the bytes are not a picture. An error would cause another try, which cannot help. */
async function decoded(jpeg: Uint8Array): Promise<Grey | undefined> {
  try {
    const picture = sharp(jpeg).greyscale().extractChannel(0).raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    return { pixels: new Uint8Array(data), width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

/** The expiry of a document is compared with the calendar day in the Netherlands. */
const calendarDay = (date: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam', dateStyle: 'short' }).format(date);
