import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { hourMs } from '#contract/time.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';

const warnEveryMs = hourMs;

type Parts = { log: Log; clock: Clock; instruments: Instruments };

/**
 * Tells the operator that a peer which TRUST_PROXY does not name sends X-Forwarded-For. If it is a proxy, everybody behind it counts as one
 * address. The log says so at most once an hour, since any caller can write the header.
 */
export function ignoredForwardedFor({ log, clock, instruments }: Parts): (request: IncomingMessage) => void {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return ({ socket }) => {
    instruments.forwardedForIgnored.add(1);
    if (clock.monotonicMs() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = clock.monotonicMs();
    log.warn({ peer: ownNetworkAddress(socket.remoteAddress) }, message);
  };
}

const message =
  'X-Forwarded-For came from a peer that TRUST_PROXY does not name: if it is your proxy, all who come through it count as one address';

/** A proxy of the operator mostly has a private address. Any other may be that of a person, so the log does not have it. */
function ownNetworkAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const isPublic = ipaddr.process(address).range() === 'unicast';
  return isPublic ? 'a public address' : address;
}
