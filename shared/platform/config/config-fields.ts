import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export const port = z.coerce.number().int().min(1).max(65_535);
const isServerUrl = (text: string, protocol: RegExp) =>
  URL.canParse(text) && protocol.test(new URL(text).protocol) && new URL(text).host !== '';
const serverUrl = (protocol: RegExp) => z.string().refine((text) => isServerUrl(text, protocol));
/**
 * If the user name or the password of the URL cannot be decoded, the Redis client would fail at start. The configuration refuses
 * such a URL.
 */
export const redisUrl = z
  .string()
  .refine(
    (text) =>
      isServerUrl(text, /^rediss?:$/) && canBeDecoded(new URL(text).username + new URL(text).password),
  );
/** To other programs a list such as `a,b` is several hosts. To the driver of this product it is the name of one. */
export const databaseUrl = serverUrl(/^postgres(ql)?:$/).refine(
  (text) => !URL.canParse(text) || !new URL(text).host.includes(','),
);
export const plainUrl = z
  .string()
  .refine((text) => isServerUrl(text, /^https?:$/) && !/[?#]/.test(text))
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** People send photographs of their documents to PUBLIC_URL, so plain http is for this machine and for private networks only. */
export const publicUrl = plainUrl.refine((text) => {
  const { protocol, hostname } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    protocol === 'https:' ||
    /^(.+\.)?localhost$/.test(host) ||
    (ipaddr.isValid(host) && innerRanges.includes(ipaddr.parse(host).range()))
  );
});
const innerRanges = ['loopback', 'private', 'linkLocal', 'uniqueLocal'];

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A list of values separated by commas. White space around a value is ignored. An empty list is an error. */
export const list = <Entry>(entry: z.ZodType<Entry, string>) =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(entry).nonempty('must be a list with at least one entry'));

export const cidr = z.string().transform((text, context): Cidr => {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  const prefixLength = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (isIP(address) === 0 || rest.length > 0 || !(prefixLength <= bits))
    context.addIssue('must be addresses or CIDR ranges, separated by commas');
  return { address, prefixLength };
});
/**
 * A prefix length of 0 is refused. If every address were a trusted proxy, any caller could invent its client
 * address.
 */
export const proxyCidr = cidr.refine(
  ({ prefixLength }) => prefixLength !== 0,
  'must be addresses of proxies, not every address',
);
export type Cidr = { address: string; prefixLength: number };

export const keyOf32Bytes = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text))
    context.addIssue('must be 32 bytes in base64, several separated by commas');
  return bytes;
});

export const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be origins such as https://app.example, separated by commas',
  );

export const hostAndPort = z
  .string()
  .refine(
    (text) => /^[^\s/]+:\d{1,5}$/.test(text) && port.safeParse(text.split(':').at(-1)).success,
    'must be host:port',
  );

export const count = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  const isOne = (value: number) => Number.isInteger(value) && value >= least && value <= most;
  return z.coerce.number({ error }).refine(isOne, { error });
};
