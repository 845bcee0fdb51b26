import { describe, expect, test } from 'vitest';
import { addressRules, isAllowedUrl, isPublic } from '#platform/outbound/addresses.ts';
import { fc } from '#test/support/seed.ts';

/** The first and last address of every block that is not the public internet (RFC 6890 and its updates). */
const blocks: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
  ['::', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['64:ff9b::1:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

const bitsOf = (address: string) => (address.includes(':') ? 128n : 32n);

function numberOf(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function textOf(number: bigint, bits: bigint): string {
  const [size, step] = bits === 32n ? [4n, 8n] : [8n, 16n];
  const parts = Array.from(
    { length: Number(size) },
    (_, i) => (number >> (step * (size - 1n - BigInt(i)))) & (2n ** step - 1n),
  );
  return bits === 32n ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
}

const neighbour = (address: string, distance: bigint) => {
  const next = numberOf(address) + distance;
  const bits = bitsOf(address);
  return next < 0n || next >= 2n ** bits ? undefined : textOf(next, bits);
};

const inAnyBlock = (address: string) =>
  blocks.some(
    ([first, last]) =>
      bitsOf(first) === bitsOf(address) &&
      numberOf(first) <= numberOf(address) &&
      numberOf(address) <= numberOf(last),
  );

describe.each(blocks)('the block from %s to %s', (first, last) => {
  test('is refused from its first address to its last', () => {
    const middle = textOf((numberOf(first) + numberOf(last)) / 2n, bitsOf(first));
    for (const address of [first, middle, last]) expect(isPublic(address), address).toBe(false);
  });

  test('ends there: its neighbours are public, unless another block has them', () => {
    for (const address of [neighbour(first, -1n), neighbour(last, 1n)])
      if (address !== undefined && !inAnyBlock(address) && !isTranslatedPrivate(address))
        expect(isPublic(address), address).toBe(true);
  });
});

/** The first and last address of 64:ff9b::/96 are translations of 0.0.0.0 and 255.255.255.255, which are not public. */
const isTranslatedPrivate = (address: string) => /^64:ff9b:0:0:0:0:(0:0|ffff:ffff)$/.test(address);

const production = addressRules([]);
const anyIpv4 = fc
  .oneof(
    fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc
      .constantFrom(...blocks.filter(([first]) => bitsOf(first) === 32n).flat())
      .map((address) => address.split('.').map(Number) as [number, number, number, number]),
  )
  .map((bytes) => ({
    bytes,
    address: bytes.join('.'),
    number: bytes.reduce((sum, byte) => sum * 256 + byte, 0),
  }));

const hex = (number: number, width = 0) => number.toString(16).padStart(width, '0');
type Ipv4 = { bytes: [number, number, number, number]; number: number };

test('however an IPv4 address is spelt in a url, the verdict is that on the address', () => {
  const spellings = ({ bytes: [a, b, c, d], number }: Ipv4) => [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${number}`,
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    `0${number.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    `${a}。${b}．${c}｡${d}`,
    `${a}.${b}.${c}.${d}`.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    `%3${String(a)[0]}${String(a).slice(1)}.${b}.${c}.${d}`,
  ];
  fc.assert(
    fc.property(anyIpv4, (ipv4) => {
      for (const spelling of spellings(ipv4))
        expect(isAllowedUrl(`https://${spelling}/hook`, production), spelling).toBe(isPublic(ipv4.address));
    }),
    { numRuns: 500 },
  );
});

test('no IPv6 spelling of an IPv4 address gets a laxer verdict than the address itself', () => {
  const spellings = ({ bytes: [a, b, c, d] }: Ipv4) => {
    const [high, low] = [hex(a * 256 + b, 4), hex(c * 256 + d, 4)];
    return [
      ...[`::ffff:${a}.${b}.${c}.${d}`, `::ffff:${high}:${low}`, `0:0:0:0:0:ffff:${high}:${low}`],
      ...[
        `::${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `::5efe:${high}:${low}`,
        `fe80::5efe:${high}:${low}`,
      ],
      ...[`64:ff9b::${high}:${low}`, `64:ff9b::${a}.${b}.${c}.${d}`, `64:ff9b:1::${high}:${low}`],
      ...[`2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`, `2001::${high}:${low}`],
    ];
  };
  fc.assert(
    fc.property(anyIpv4, (ipv4) => {
      for (const spelling of spellings(ipv4)) {
        const isStricter = !isPublic(spelling) || isPublic(ipv4.address);
        expect(isStricter, spelling).toBe(true);
        expect(isAllowedUrl(`https://[${spelling}]/`, production), spelling).toBe(isPublic(spelling));
      }
    }),
    { numRuns: 500 },
  );
});

test('an address that a network translates is judged by where it leads', () => {
  expect(isPublic('64:ff9b::8.8.8.8')).toBe(true);
  expect(isPublic('64:ff9b::808:808')).toBe(true);
  expect(isPublic('64:ff9b::a9fe:a9fe')).toBe(false);
});

test('an address with a zone is refused, allowed or not: it names an interface of this machine', () => {
  const everything = addressRules([{ address: '::', prefixLength: 0 }]);
  for (const address of ['fe80::1%eth0', '2606:4700:4700::1111%1', '::1%lo']) {
    expect(isPublic(address)).toBe(false);
    expect(everything.mayReach(address, 443)).toBe(false);
  }
  for (const host of ['[fe80::1%25eth0]', '[2606:4700:4700::1111%eth0]'])
    expect(isAllowedUrl(`https://${host}/`, everything)).toBe(false);
});

test.each([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
])('the metadata of a cloud at %s is out of reach', (address) => {
  expect(isPublic(address)).toBe(false);
});
