import { freePort, portFault } from '#platform/free-port.ts';

type Pair = [number, number];
export type Ports = { api: Pair; console: Pair; ui: number };

/** Two free ports in a row for the API, two for the console, and one for Temporal's UI. */
export async function freePorts(): Promise<Ports> {
  const ui = await freePort();
  const api = await freePair([ui]);
  return { api, console: await freePair([ui, ...api]), ui };
}

async function freePair(taken: readonly number[]): Promise<Pair> {
  for (;;) {
    const first = await freePort();
    const pair: Pair = [first, first + 1];
    if (!pair.some((port) => taken.includes(port)) && (await portFault(first + 1)) === undefined) return pair;
  }
}
