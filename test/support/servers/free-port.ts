import { portFault } from '#platform/free-port.ts';

/**
 * Test files run at the same time, and a test often binds a port only seconds after it got the port. So each worker of vitest has
 * its own share of ports. When the product itself chooses a free port, that port is above these shares.
 */
const share = 1_000;
const shares = 6;
const lowest = 18_000 + share * (Number(process.env.VITEST_POOL_ID ?? 0) % shares);

/**
 * Each test file has its own process, so the next file begins at another port. A late client of one file must not reach a server of
 * the next.
 */
let drawn = process.pid % share;

/** A free port on loopback. This file does not get the same port again before its share is used up. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < share; tries++) {
    const port = lowest + (drawn++ % share);
    if ((await portFault(port)) === undefined) return port;
  }
  throw new Error(`no port of ${lowest} to ${lowest + share - 1} is free`);
}
