import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { Cidr } from '#platform/config.ts';

/** By what the requests of unknown callers are counted (decision 20). */
export type ClientAddress = (request: IncomingMessage) => string;

/** The socket's address, or what the named proxies say in X-Forwarded-For; what is no address there counts as the socket's. */
export function clientAddress(trustProxy: readonly Cidr[]): ClientAddress {
  const isTrusted = proxyAddr.compile(
    trustProxy.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
  );
  return (request) => {
    const forwarded = proxyAddr(request, isTrusted);
    return addressBucket(isIP(forwarded) === 0 ? request.socket.remoteAddress : forwarded);
  };
}

/** One spelling for one caller: an IPv6 address counts by its /64, all of which belongs to one line; a mapped one as IPv4. */
export function addressBucket(address: string | undefined): string {
  if (address === undefined || isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
