import { z } from 'zod';
import type { Isolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPrograms } from '#platform/isolated/programs.ts';
import { jsonOf } from '#platform/json.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import { EidFault, refusals } from '../port.ts';
import type { Question } from './isolated/answers.ts';
import type { Opened } from './isolated/attributes.ts';

const program: Program = {
  file: new URL('./isolated/program.ts', import.meta.url),
  readyMs: 30_000,
  jobMs: 20_000,
  answerBytesMax: 600_000,
  memoryBytesMax: 1_500_000_000,
};

/** A program may have been taken over by what it read, so its result is checked as if a stranger had sent it. */
const text = z.string().max(2_000);
const ReadAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('error'), code: z.string().regex(/^[A-Z]{2}\d{4}$/) }),
  z.strictObject({
    kind: z.literal('directory'),
    issuers: z
      .array(
        z.strictObject({
          id: z.string().regex(/^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/),
          name: z.string().min(1).max(128),
          country: z.string().min(1).max(128),
        }),
      )
      .min(1)
      .max(1_000),
  }),
  z.strictObject({
    kind: z.literal('transaction'),
    transactionId: z.string().regex(/^\d{16}$/),
    redirectUrl: z.string().max(512),
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.enum(['Open', 'Pending', 'Success', 'Failure', 'Expired', 'Cancelled']),
    confirmation: z
      .strictObject({
        issuerId: text,
        complete: z.boolean(),
        deliveredService: z.number().int().nullable(),
        sealed: z
          .array(
            z.strictObject({
              key: text,
              value: z.string().max(20_000),
              prefixes: z.record(z.string().max(100), text),
            }),
          )
          .max(80),
      })
      .nullable(),
  }),
]);
export type ReadAnswer = z.infer<typeof ReadAnswer>;

const ReadAttributes = z.strictObject({ subject: text, values: z.record(z.string().max(40), text) });
export type ReadAttributes = z.infer<typeof ReadAttributes>;

export type AnswerReader = {
  /** Reads an answer of an acquirer in a process of its own. Throws `EidFault` with the reason of a refusal. */
  answer(bytes: Uint8Array, question: Question): Promise<ReadAnswer>;
  /** Reads decrypted values in the same way. */
  attributes(opened: readonly Opened[]): Promise<ReadAttributes>;
  close(): Promise<void>;
};

type Options = {
  isolation: Isolation;
  log: Pick<Log, 'warn' | 'error'>;
  instruments: Pick<Instruments, 'programsLost'>;
};

/** Answers are XML of a stranger, so they are parsed in processes that have no key, no database and no network. */
export function createAnswerReader(options: Options): AnswerReader {
  const programs = createPrograms({ ...options, program, name: 'eid', sparesMax: 0 });
  const read = async <Result>(schema: z.ZodType<Result>, job: object, bytes: Uint8Array): Promise<Result> => {
    const result = await programs.run([Buffer.from(JSON.stringify(job)), bytes]);
    if (!Array.isArray(result)) throw new EidFault('unreadable');
    const [reason, content = Buffer.alloc(0)] = result;
    const refusal = refusals.find((each) => each === String(reason));
    if (refusal !== undefined) throw new EidFault(refusal);
    const parsed = schema.safeParse(jsonOf(content));
    if (!parsed.success) throw new EidFault('unreadable');
    return parsed.data;
  };
  return {
    answer: (bytes, question) => read(ReadAnswer, question, bytes),
    attributes: (opened) => read(ReadAttributes, { kind: 'attributes', opened }, Buffer.alloc(0)),
    close: programs.close,
  };
}
