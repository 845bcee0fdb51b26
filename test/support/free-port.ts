import { portFault } from '#platform/free-port.ts';

/**
 * Files of tests run side by side, and a port that a test got is often bound only seconds later. So each worker of vitest draws from
 * a share of its own. The product draws from ports above these shares.
 */
const share = 1_000;
const shares = 6;
const lowest = 18_000 + share * (Number(process.env.VITEST_POOL_ID ?? 0) % shares);

/** The next file of this worker begins elsewhere: a late client of this file must not reach a server of the next. */
let drawn = process.pid % share;

/** A loopback port that is free, and that nobody else draws before the share of this worker is used up. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < share; tries++) {
    const port = lowest + (drawn++ % share);
    if ((await portFault(port)) === undefined) return port;
  }
  throw new Error(`no port of ${lowest} to ${lowest + share - 1} is free`);
}
