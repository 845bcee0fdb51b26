import { z } from 'zod';
import { checkKinds, checkResults } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import type { Isolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPrograms, NotStarted } from '#platform/isolated/programs.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { DocumentPictures, DocumentReader } from '../port.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  readyMs: 10_000,
  jobMs: 60_000,
  answerBytesMax: 10_000,
  memoryBytesMax: 2_500_000_000,
};

type Options = {
  isolation: Isolation;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
  /** Replaces parts of the program, for tests of its failures. */
  program?: Partial<Program>;
};

/**
 * Examines documents one after the other, each in a process of its own. So the event loop of this process stays free, and the memory
 * of an examination is given back. If a process fails, only its document is lost.
 */
export function startDocumentReader({
  isolation,
  log,
  instruments,
  program: other,
}: Options): DocumentReader {
  const programs = createPrograms({
    ...{ isolation, log, instruments },
    program: { ...program, ...other },
    name: 'document',
    sparesMax: 0,
  });
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const examined = async ({ front, back }: DocumentPictures, today: Date): Promise<Check[]> => {
    if (closed) throw new Error('The document reader is closed');
    const sides = [front, back].filter((side) => side !== null);
    const job = [Buffer.from(calendarDay(today)), ...sides];
    const answer = await programs.run(job).catch(unlessNotStarted);
    const checks = Array.isArray(answer) ? checksOf(answer) : undefined;
    if (checks === undefined) throw new Error('The document could not be examined');
    return checks;
  };

  return {
    check(pictures, today) {
      const result = last.then(() => examined(pictures, today));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      closed = true;
      await programs.close();
    },
  };
}

/** A process that could not be started examined nothing, like one that died. */
function unlessNotStarted(error: unknown): undefined {
  if (!(error instanceof NotStarted)) throw error;
}

const Checks = z.array(
  z.strictObject({
    kind: z.enum(checkKinds),
    result: z.enum(checkResults),
    confidence: z.number().min(0).max(1),
  }),
);
const documentChecks = ['document_integrity', 'document_expiry', 'mrz_check_digits', 'data_consistency'];

/** Checks an answer, because a picture may have taken over the process that gave it. Returns undefined if it is not in order. */
function checksOf([answer, ...more]: readonly Buffer[]): Check[] | undefined {
  const checks = Checks.safeParse(parsed(String(answer))).data;
  const isInOrder = checks?.map(({ kind }) => kind).join() === documentChecks.join();
  return more.length === 0 && isInOrder ? checks : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The expiry of a document is compared with the calendar day in the Netherlands. */
const calendarDay = (date: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam', dateStyle: 'short' }).format(date);
