import { workflowInfo } from '@temporalio/workflow';

/** Workflows of a test, for Temporal's sandbox. Each never gives the processor back while it is told to loop. */

export async function loops(forEver: boolean): Promise<string> {
  for (; forEver; );
  return 'done';
}

/** Waits for something first, so that the loop is in a microtask. */
export async function loopsLater(forEver: boolean): Promise<string> {
  await Promise.resolve();
  for (; forEver; );
  return 'done';
}

/** Loops before the workflow begins, where modules are loaded. */
export const loopsEarlier = loops;
for (; workflowInfo().memo?.loopsEarlier === true; );
