import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addressBucket, clientAddress, networkOf } from '#api/client-address.ts';
import { ignoredForwardedFor } from '#api/forwarded-for.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

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

describe('an X-Forwarded-For from a peer that is not trusted', () => {
  const request = (remoteAddress: string, forwardedFor?: string) =>
    ({
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      socket: { remoteAddress },
    }) as unknown as IncomingMessage;

  function watched() {
    const lines: { peer: string }[] = [];
    let nowMs = 0;
    const counts: number[] = [];
    const instruments = {
      ...noInstruments,
      forwardedForIgnored: { add: (count: number) => void counts.push(count) },
    };
    const log = { warn: (line: { peer: string }) => void lines.push(line) };
    const parts = { log, instruments, clock: { ...systemClock, monotonicMs: () => nowMs } };
    const proxies = readConfig({ TRUST_PROXY: '10.0.0.0/8' }).trustProxy;
    const addressOf = clientAddress(proxies, ignoredForwardedFor(parts as never));
    const later = (ms: number) => {
      nowMs += ms;
    };
    return { addressOf, lines, counts, later };
  }

  test('is one line an hour, and is counted each time', () => {
    const { addressOf, lines, counts, later } = watched();
    for (let i = 0; i < 50; i++) addressOf(request('172.18.0.5', '203.0.113.9'));
    expect(lines).toEqual([{ peer: '172.18.0.5' }]);
    expect(counts).toHaveLength(50);
    later(3_600_000);
    addressOf(request('172.18.0.5', '203.0.113.9'));
    expect(lines).toHaveLength(2);
  });

  test('is no line with the address of somebody on the internet', () => {
    const { addressOf, lines } = watched();
    addressOf(request('198.51.101.7', '203.0.113.9'));
    expect(lines).toEqual([{ peer: 'a public address' }]);
  });

  test('is none where the peer is trusted, or sends no such header', () => {
    const { addressOf, lines, counts } = watched();
    addressOf(request('10.0.0.1', '203.0.113.9'));
    addressOf(request('198.51.101.7'));
    expect([lines, counts]).toEqual([[], []]);
  });
});

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['192.0.2.1', '192.0.2.1'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (bucket, network) => {
  expect(networkOf(bucket)).toBe(network);
});
