import { freePort, portFault } from '#platform/free-port.ts';

/** Two free ports in a row for the API, and one for Temporal's UI. */
export async function freePorts(): Promise<{ api: [number, number]; ui: number }> {
  const ui = await freePort();
  for (;;) {
    const first = await freePort();
    if (first !== ui - 1 && first !== ui && (await portFault(first + 1)) === undefined)
      return { api: [first, first + 1], ui };
  }
}
