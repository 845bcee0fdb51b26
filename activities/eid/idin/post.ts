import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { type AddressRules, isAllowedUrl } from '#platform/outbound/addresses.ts';
import { EidFault } from '../port.ts';
import { answerBytesMax } from './names.ts';

export type Post = (url: string, message: string) => Promise<Buffer>;

const defaultTimeoutMs = 15_000;

/** `rules`: the addresses that may be reached. Undefined: all. */
export type PostOptions = { timeoutMs?: number | undefined; rules?: AddressRules | undefined };

/**
 * Sends one message to the acquirer and returns the answer. It follows no redirect, and reads no more than the largest answer. Throws
 * `EidFault`.
 */
export function createPost({ timeoutMs = defaultTimeoutMs, rules }: PostOptions = {}): Post {
  const dispatcher = rules && new Agent({ connect: { lookup: lookupBy(rules) } });
  return async (url, message) => {
    // A name is checked when it is looked up. An address is not looked up.
    if (rules && !isAllowedUrl(url, rules)) throw new EidFault('unreachable');
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { statusCode, body } = await request(url, {
        ...(dispatcher && { dispatcher }),
        // The other side may just have closed an idle connection, and a begin is never repeated.
        reset: true,
        method: 'POST',
        headers: { 'content-type': 'text/xml; charset="utf-8"', accept: 'text/xml' },
        body: message,
        signal,
      });
      if (statusCode !== 200) {
        body.on('error', () => undefined).destroy();
        throw new EidFault('http_error', String(statusCode));
      }
      return await contentOf(body);
    } catch (error) {
      if (error instanceof EidFault) throw error;
      throw new EidFault(signal.aborted ? 'late' : 'unreachable');
    }
  };
}

/** Gives only addresses that the rules allow, so that a name cannot lead into our own network. */
const lookupBy =
  (rules: AddressRules): LookupFunction =>
  (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      const allowed = (found ?? []).filter(({ address }) => rules.mayReach(address, 443));
      const [first] = allowed;
      if (error || first === undefined) done(error ?? new Error('not allowed'), '', 4);
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });

async function contentOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new EidFault('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
