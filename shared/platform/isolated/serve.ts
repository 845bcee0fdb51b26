import { encodeMessage, type Message, messagesOf } from './message.ts';

type Work = (job: readonly Buffer[]) => Promise<Message>;

/**
 * The main function of an isolated program. Says that the program is ready, does one job, answers and ends. The program also ends
 * when the product closes the pipe, which happens at the latest when the product itself ends.
 */
export async function serve(work: Work, { jobBytesMax }: { jobBytesMax: number }): Promise<void> {
  await workOn(messagesOf(process.stdin, jobBytesMax), work);
}

/** The same for a program that needs what the product gives it before it is ready. `prepare` returns what does the job. */
export async function serveGiven(
  prepare: (given: readonly Buffer[]) => Promise<Work>,
  { jobBytesMax }: { jobBytesMax: number },
): Promise<void> {
  const messages = messagesOf(process.stdin, jobBytesMax);
  await workOn(messages, await prepare(await nextOf(messages)));
}

async function nextOf(messages: AsyncGenerator<Buffer[]>): Promise<Buffer[]> {
  const { value } = await messages.next();
  return value ?? process.exit();
}

async function workOn(messages: AsyncGenerator<Buffer[]>, work: Work): Promise<void> {
  process.stdout.write(encodeMessage([]));
  const job = await nextOf(messages);
  void messages.next().finally(() => process.exit());
  const answer = encodeMessage(await work(job));
  process.stdout.write(answer, () => process.exit());
}
