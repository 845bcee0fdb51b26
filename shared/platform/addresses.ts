import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { limits } from '#contract/limits.ts';
import type { Cidr } from './config.ts';

/** Which private addresses deliveries may reach all the same; none in production. */
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

/** IPv6 by allow-list: global unicast without the blocks in it that lead elsewhere or nowhere. */
const specialIpv6 = new BlockList();
for (const [block, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  specialIpv6.addSubnet(block, length, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** Where a network translates IPv6 to IPv4 (RFC 6052): the address leads to the IPv4 address at its end. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** A cloud provider's host address that no registry lists as special. */
const hostAddress = '168.63.129.16';

/** Whether an address is on the public internet, judged by its parsed form. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 6) return isPublicIpv6(address);
  return isIP(address) === 4 && address !== hostAddress && ipaddr.parse(address).range() === 'unicast';
}

function isPublicIpv6(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false;
  if (translated.check(address, 'ipv6')) {
    const lastBytes = ipaddr.parse(address).toByteArray().slice(-4);
    return isPublic(lastBytes.join('.'));
  }
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

const privateNames = ['local', 'internal', 'localhost', 'test', 'invalid'];

/**
 * Whether a webhook may have this url (decision 23). The parsed host is judged, never the text: the URL parser has already
 * folded every odd spelling of an address. Names are not resolved here; every attempt judges what they resolve to.
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

/** The host without the brackets of an IPv6 address and without the dot that makes a name absolute. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

function isAllowedHost(host: string, port: number, rules: AddressRules): boolean {
  if (isIP(host) !== 0) return rules.mayReach(host, port);
  if (host === 'localhost') return rules.mayReach('127.0.0.1', port);
  const labels = host.split('.');
  const isName =
    labels.length >= 2 && host.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
  return isName && !privateNames.includes(labels.at(-1) ?? '');
}
