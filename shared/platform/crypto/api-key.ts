import { crc32 } from 'node:zlib';
import { type Environment, environments } from '#contract/enums.ts';
import { sha256 } from './crypto.ts';
import { randomLetters } from './random.ts';

const prefixes: Record<Environment, string> = { sandbox: 'svc_test_', live: 'svc_live_' };
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 33;
const checksumLength = 6;

/**
 * The environment that the prefix of a key selects (specification 5.2). Undefined for a text that this service never made: its prefix,
 * its length or its checksum is wrong.
 */
export function environmentOfKey(key: string): Environment | undefined {
  const environment = environments.find((each) => key.startsWith(prefixes[each]));
  if (environment === undefined) return undefined;
  const checked = prefixes[environment].length + secretLength;
  const isComplete = key.length === checked + checksumLength;
  return isComplete && key.slice(checked) === checksum(key.slice(0, checked)) ? environment : undefined;
}

/**
 * Creates a key from a prefix, 33 random base-62 characters (196 bits) and a CRC-32 in six base-62 characters. Secret scanners
 * recognise a leaked key by its prefix and its checksum.
 */
export function newApiKey(environment: Environment): string {
  const unsigned = prefixes[environment] + randomLetters(base62, secretLength);
  return unsigned + checksum(unsigned);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * The hash under which a key is stored. The key itself is never stored (specification 5.3). A slow hash is
 * not needed, since nobody can guess 196 random bits.
 */
export const hashApiKey = (key: string): Buffer => sha256(key);

/** A shortened key for lists. The owner of the key can recognise it, and nobody can use it as a key. */
export const displayOfKey = (key: string): string => `${key.slice(0, 12)}…${key.slice(-4)}`;
