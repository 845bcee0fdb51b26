import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { Cidr } from '#platform/config/config-fields.ts';

/** Returns the key under which requests without a valid API key are counted (decision 20). */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Uses the address in X-Forwarded-For if a trusted proxy sent this header and the address is valid. Otherwise uses the address of
 * the socket.
 */
export function clientAddress(
  trustProxy: readonly Cidr[],
  /** Called for each request with an X-Forwarded-For that is not believed. */
  ignored: (request: IncomingMessage) => void = () => undefined,
): ClientAddress {
  const isTrusted = proxyAddr.compile(
    trustProxy.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
  );
  return (request) => {
    const { remoteAddress } = request.socket;
    if (request.headers['x-forwarded-for'] !== undefined && remoteAddress !== undefined)
      if (!isTrusted(remoteAddress, 0)) ignored(request);
    const forwarded = proxyAddr(request, isTrusted);
    return addressBucket(isIP(forwarded) === 0 ? remoteAddress : forwarded);
  };
}

/**
 * Returns the key under which an address is counted. An IPv6 address counts by its /64, which usually belongs to one subscriber. An
 * IPv4-mapped address counts as IPv4.
 */
export function addressBucket(address: string | undefined): string {
  if (address === undefined || isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** The network of an address as it is counted: a /48 of IPv6, which one subscriber can have whole. An IPv4 address stands for itself. */
export const networkOf = (bucket: string): string =>
  bucket.endsWith('::/64') ? `${bucket.split(':').slice(0, 3).join(':')}::/48` : bucket;
