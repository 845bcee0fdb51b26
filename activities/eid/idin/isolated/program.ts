import { serve } from '#platform/isolated/serve.ts';
import { answerBytesMax } from '../names.ts';
import { type Question, readAnswer } from './answers.ts';
import { type Opened, readAttributes } from './attributes.ts';
import { Refused } from './refused.ts';

const empty = Buffer.alloc(0);

/**
 * The program that reads one answer of an acquirer. It has no key of ours. The job is a question and an answer, or decrypted values.
 * The result is the reason of a refusal, or else what was read, as JSON.
 */
await serve(
  async ([question = empty, answer = empty]) => {
    try {
      return [empty, Buffer.from(JSON.stringify(read(JSON.parse(String(question)), answer)))];
    } catch (error) {
      return [Buffer.from(error instanceof Refused ? error.reason : 'unreadable'), empty];
    }
  },
  { jobBytesMax: answerBytesMax + 200_000 },
);

function read(job: Question | { kind: 'attributes'; opened: Opened[] }, answer: Buffer) {
  return job.kind === 'attributes' ? readAttributes(job.opened) : readAnswer(answer, job);
}
