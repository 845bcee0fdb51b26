/** Workflows of a test, for Temporal's sandbox. */

/** Never gives the processor back while it is told to loop. */
export async function loops(forEver: boolean): Promise<string> {
  for (; forEver; );
  return 'done';
}

/** As `loops`, after it has waited for something, so that the loop is in a microtask. */
export async function loopsLater(forEver: boolean): Promise<string> {
  await Promise.resolve();
  for (; forEver; );
  return 'done';
}
