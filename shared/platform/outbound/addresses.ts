import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { limits } from '#contract/limits.ts';
import type { Cidr } from '../config/config-fields.ts';

/**
 * Decides which addresses a delivery may reach: public addresses, and private addresses that were explicitly
 * allowed. Allowed private addresses are for development and tests.
 */
export type AddressRules = { mayReach(address: string, port: number): boolean };

export function addressRules(
  allowed: readonly Cidr[],
  alsoAllowed: (address: string, port: number) => boolean = () => false,
): AddressRules {
  const list = new BlockList();
  for (const { address, prefixLength } of allowed) list.addSubnet(address, prefixLength, family(address));
  const isListed = (address: string) => !address.includes('%') && list.check(address, family(address));
  return {
    mayReach: (address, port) => isPublic(address) || isListed(address) || alsoAllowed(address, port),
  };
}

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Blocks of global unicast addresses (2000::/3) that are not public. They serve protocol assignments, documentation, 6to4 and
 * AS112.
 */
const specialIpv6 = new BlockList();
for (const [block, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  specialIpv6.addSubnet(block, length, 'ipv6');

/** The block of global unicast addresses (2000::/3). An address in this block is public if it is in no special block. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/**
 * The NAT64 prefix (RFC 6052). An address with this prefix leads to the IPv4 address in its last four bytes.
 */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** The address under which an Azure machine reaches its host. No registry lists this address as special. */
const hostAddress = '168.63.129.16';

export function isPublic(address: string): boolean {
  if (isIP(address) === 6) return isPublicIpv6(address);
  return isIP(address) === 4 && address !== hostAddress && ipaddr.parse(address).range() === 'unicast';
}

function isPublicIpv6(address: string): boolean {
  // A zone id (as in fe80::1%eth0) names a network interface of this machine, so such an address is not public.
  if (address.includes('%')) return false;
  if (translated.check(address, 'ipv6')) {
    const lastBytes = ipaddr.parse(address).toByteArray().slice(-4);
    return isPublic(lastBytes.join('.'));
  }
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

const privateNames = ['local', 'internal', 'localhost', 'test', 'invalid'];

/**
 * Returns true if a webhook endpoint may be registered with this URL (decision 23). The text must be what is called: whoever
 * reads the address of an endpoint must see where its events go.
 */
export const mayRegister = (text: string, rules: AddressRules): boolean =>
  isAllowedUrl(text, rules) && isAsCalled(text);

/**
 * The URL parser repairs what it reads: it decodes and maps host names, counts addresses anew, turns backslashes, and walks `..`. So
 * the text is compared with what the parser makes of it. Only the case of scheme and host, the usual port and an empty path may differ.
 */
function isAsCalled(text: string): boolean {
  const { href, hostname } = new URL(text);
  // Letters beyond ASCII can become letters of ASCII when their case changes.
  const [, authority = '', rest = ''] = /^https:\/\/([!-~]*?)([/?].*)?$/i.exec(text) ?? [];
  const host = authority.toLowerCase().replace(/:443$/, '');
  const called = `https://${host}${rest.startsWith('/') ? '' : '/'}${rest}`;
  return called === href && !hostname.endsWith('.');
}

/**
 * Returns true if the address rules allow this URL (decision 23). The check reads the parsed host, since the URL parser
 * normalises unusual spellings of an address. The check does not resolve a host name. Every new connection of a delivery resolves
 * the name and checks its addresses.
 */
export function isAllowedUrl(text: string, rules: AddressRules): boolean {
  if (
    text.length > limits.webhookUrlLengthMax ||
    /[\s\u0000-\u001f\u007f]/u.test(text) ||
    !URL.canParse(text)
  )
    return false;
  const url = new URL(text);
  const port = portOf(url);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '' || text.includes('#'))
    return false;
  if (port !== 443 && port < 1024) return false;
  return isAllowedHost(hostOf(url), port, rules);
}

export const portOf = (url: URL): number => (url.port === '' ? 443 : Number(url.port));

/** The host without the brackets of an IPv6 address and without the final dot of an absolute name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

function isAllowedHost(host: string, port: number, rules: AddressRules): boolean {
  if (isIP(host) !== 0) return rules.mayReach(host, port);
  if (host === 'localhost') return rules.mayReach('127.0.0.1', port);
  const labels = host.split('.');
  const isName =
    labels.length >= 2 && host.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
  return isName && !privateNames.includes(labels.at(-1) ?? '');
}
