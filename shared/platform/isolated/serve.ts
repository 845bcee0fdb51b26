import { encodeMessage, type Message, messagesOf } from './message.ts';

/**
 * The main function of an isolated program. Says that the program is ready, does one job, answers and ends. The program also ends
 * when the product closes the pipe, which happens at the latest when the product itself ends.
 */
export async function serve(
  work: (job: readonly Buffer[]) => Promise<Message>,
  { jobBytesMax }: { jobBytesMax: number },
): Promise<void> {
  const jobs = messagesOf(process.stdin, jobBytesMax);
  process.stdout.write(encodeMessage([]));
  const { value: job } = await jobs.next();
  if (job === undefined) process.exit();
  void jobs.next().finally(() => process.exit());
  const answer = encodeMessage(await work(job));
  process.stdout.write(answer, () => process.exit());
}
