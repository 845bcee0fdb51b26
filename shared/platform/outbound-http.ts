import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { limits } from '#contract/limits.ts';
import { type AddressRules, isAllowedUrl } from './addresses.ts';

const attemptTimeoutMs = 15_000;
const resolveTimeoutMs = 3_000;
const connectTimeoutMs = 5_000;
const excerptTimeoutMs = 1_000;
/** So that a pooled connection does not outlive a change of the name's addresses by much. */
const connectionLifetimeMs = 60_000;

/** Why a receiver gave no answer. What a partner reads never says which address a name led to. */
export type NoAnswer =
  | 'address_not_allowed'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'connection_lost'
  | 'tls_failed'
  | 'timed_out';

/** What became of one POST. Whatever a receiver does is data, never an exception. */
export type Posted =
  | { answered: true; status: number; retryAfterMs: number | null; excerpt: Buffer; durationMs: number }
  | { answered: false; reason: NoAnswer; durationMs: number };

export type Sender = {
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<Posted>;
  close(): Promise<void>;
};

class Refused extends Error {
  readonly reason: NoAnswer;

  constructor(reason: NoAnswer) {
    super(reason);
    this.reason = reason;
  }
}

type SenderOptions = {
  rules: AddressRules;
  /** PEM certificate authorities that are trusted besides the usual ones. */
  extraCa?: () => readonly string[];
  timeoutMs?: number;
};

/**
 * Sends webhooks (decision 29): the address that was judged is the one that is connected to; redirects are not followed;
 * one deadline races every phase, because neither an abort signal nor undici's own time-outs reach into all of them.
 */
export function createSender({
  rules,
  extraCa = () => [],
  timeoutMs = attemptTimeoutMs,
}: SenderOptions): Sender {
  const agent = new Agent({
    connect: judgedConnector(rules, extraCa),
    clientTtl: connectionLifetimeMs,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  return {
    async post(url, headers, body) {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      if (!isAllowedUrl(url, rules)) return { answered: false, reason: 'address_not_allowed', durationMs: 0 };
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await beforeDeadline(
          deadline,
          request(url, { method: 'POST', headers, body, dispatcher: agent, signal: deadline }),
        );
        const excerpt = await excerptOf(response.body);
        return {
          answered: true,
          status: response.statusCode,
          retryAfterMs: retryAfterMs(response.headers['retry-after']),
          excerpt,
          durationMs: durationMs(),
        };
      } catch (error) {
        return { answered: false, reason: reasonOf(error), durationMs: durationMs() };
      }
    },
    close: () => agent.destroy(),
  };
}

function beforeDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Refused('timed_out'));
    if (deadline.aborted) refuse();
    else deadline.addEventListener('abort', refuse, { once: true });
  });
  work.catch(() => undefined);
  return Promise.race([work, late]);
}

/** A connector that resolves by itself, judges every address, and connects only to those it judged. */
function judgedConnector(rules: AddressRules, extraCa: () => readonly string[]): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || 443;
    judgedAddresses(options.hostname.replace(/^\[|\]$/g, ''), port, rules)
      .then((addresses) => {
        const authorities = extraCa();
        const connect = buildConnector({
          timeout: connectTimeoutMs,
          minVersion: 'TLSv1.2',
          allowH2: false,
          ...(authorities.length > 0 && { ca: [...getCACertificates('default'), ...authorities] }),
          lookup: (_name, lookupOptions, done) => {
            const found = addresses.map((address) => ({ address, family: isIP(address) }));
            const first = found[0];
            if (lookupOptions.all) done(null, found);
            else if (first) done(null, first.address, first.family);
          },
        });
        connect(options, callback);
      })
      .catch((error) => callback(error, null));
  };
}

async function judgedAddresses(host: string, port: number, rules: AddressRules): Promise<string[]> {
  const addresses = await addressesOf(host);
  if (addresses.length === 0) throw new Refused('name_not_resolved');
  if (!addresses.every((address) => rules.mayReach(address, port))) throw new Refused('address_not_allowed');
  return addresses;
}

/** By DNS alone: getaddrinfo would block the thread pool, and would find names of the local network. */
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  if (host === 'localhost') return ['127.0.0.1'];
  const resolver = new dns.Resolver({ timeout: resolveTimeoutMs, tries: 1 });
  const name = host.endsWith('.') ? host : `${host}.`;
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** What the receiver said, for the attempt log. Its status has decided already, so a slow body is not waited for. */
async function excerptOf(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  try {
    return await beforeDeadline(AbortSignal.timeout(excerptTimeoutMs), firstBytes(body));
  } catch {
    body.destroy();
    return Buffer.alloc(0);
  }
}

async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limits.responseExcerptBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, limits.responseExcerptBytesMax);
}

/** Seconds or an HTTP date, as milliseconds from now (RFC 9110, 10.2.3); anything else counts as absent. */
export function retryAfterMs(header: string | string[] | undefined, now = Date.now()): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const date = /GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(date - now, 0);
}

function reasonOf(error: unknown): NoAnswer {
  if (error instanceof Refused) return error.reason;
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (
    name === 'TimeoutError' ||
    code === 'UND_ERR_HEADERS_TIMEOUT' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ETIMEDOUT'
  )
    return 'timed_out';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code)) return 'tls_failed';
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return 'connection_failed';
  return 'connection_lost';
}
