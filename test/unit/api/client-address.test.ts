import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addressBucket, clientAddress } from '#api/client-address.ts';
import { readConfig } from '#platform/config.ts';

/** Returns the client address by which a request is counted. `trustProxy` is the text of TRUST_PROXY in the environment. */
function counts(trustProxy: string, remoteAddress: string | undefined, forwardedFor?: string): string {
  const { trustProxy: proxies } = readConfig({ TRUST_PROXY: trustProxy });
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return clientAddress(proxies)({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
}

describe('without TRUST_PROXY', () => {
  test('X-Forwarded-For says nothing', () => {
    expect(counts('', '198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
  });
});

describe('with TRUST_PROXY', () => {
  test.each([
    ['the client that the proxy names', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the client in front of two proxies', '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['not what a client wrote itself', '10.0.0.1', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
    ['the socket when it is no proxy', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['the proxy without the header', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy on an IPv4-mapped socket', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['an IPv6 client by its /64', '10.0.0.1', '2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ])('%s', (_, remote, forwardedFor, expected) => {
    expect(counts('10.0.0.0/8', remote, forwardedFor)).toBe(expected);
  });

  test.each([
    ['a word', 'unknown'],
    ['an address with a port', '203.0.113.9:4711'],
    ['a number', '1'],
    ['an address in an odd spelling', '0x7f.1'],
    ['commas', ',,,'],
    ['very much', '9'.repeat(8_000)],
    ['very much after an address', `203.0.113.9, ${'x'.repeat(8_000)}`],
    ['an impossible address after a good one', '203.0.113.9, 300.1.2.3'],
  ])('what is no address counts as the proxy: %s', (_, forwardedFor) => {
    expect(counts('10.0.0.0/8', '10.0.0.1', forwardedFor)).toBe('10.0.0.1');
  });
});

describe('one caller has one spelling', () => {
  test.each([
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%s counts as %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });

  test('a socket that is gone has none', () => {
    expect(addressBucket(undefined)).toBe('unknown');
    expect(counts('10.0.0.0/8', undefined, '203.0.113.9')).toBe('unknown');
  });
});
