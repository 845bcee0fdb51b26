import type { AttemptPhase } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { type AddressRules, hostOf, isAllowedUrl, portOf } from './addresses.ts';
import { NoAnswer, type NoAnswerReason } from './no-answer.ts';
import { type Attempt, type Connection, createConnections, secureContextOf } from './outbound-connections.ts';
import { addressesOf } from './resolver.ts';

const attemptTimeoutMs = 15_000;
const defaultResolveTimeoutMs = 3_000;
const defaultConnectTimeoutMs = 5_000;
/** Short, so that few receivers close a connection just as it is used again. */
const defaultIdleMs = 3_000;
const excerptTimeoutMs = 1_000;
/** Of each family. All addresses are judged; trying them all would leave a name with a thousand no time for any. */
const addressesTriedMax = 4;

/** What became of one POST, and how far it came. Whatever a receiver does is data, never an exception. */
export type Posted =
  | {
      answered: true;
      phase: AttemptPhase;
      status: number;
      retryAfterMs: number | null;
      excerpt: Buffer;
      durationMs: number;
    }
  | { answered: false; phase: AttemptPhase; reason: NoAnswerReason; durationMs: number };

export type Sender = {
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<Posted>;
  close(): Promise<void>;
};

type SenderOptions = {
  rules: AddressRules;
  /** PEM certificate authorities that are trusted besides the usual ones. */
  extraCa?: () => readonly string[];
  /** Name servers as `address:port`, in place of the system's. */
  dnsServers?: readonly string[];
  timeoutMs?: number;
  resolveTimeoutMs?: number;
  connectTimeoutMs?: number;
  /** How long a connection waits for its next request. */
  idleMs?: number;
};

/**
 * Sends webhooks (decision 29): the address that was judged is the one that is connected to; redirects are not followed;
 * one deadline races every phase, and whatever is still open when it passes is closed.
 */
export function createSender({
  rules,
  extraCa = () => [],
  dnsServers,
  timeoutMs = attemptTimeoutMs,
  resolveTimeoutMs = defaultResolveTimeoutMs,
  connectTimeoutMs = defaultConnectTimeoutMs,
  idleMs = defaultIdleMs,
}: SenderOptions): Sender {
  const connections = createConnections(idleMs);
  const secureContext = secureContextOf(extraCa);
  const running = new Set<AbortController>();

  async function answerTo(request: Request, attempt: Attempt): Promise<Answer> {
    const { url } = request;
    const connection = connections.takeIdle(url.origin) ?? (await open(url, attempt));
    try {
      return await exchange(connection, request, attempt, () => connections.keep(connection));
    } catch (error) {
      void connection.client.destroy();
      throw error;
    }
  }

  async function open(url: URL, attempt: Attempt): Promise<Connection> {
    attempt.phase = 'resolve';
    const lookup = { timeoutMs: resolveTimeoutMs, servers: dnsServers, signal: attempt.signal };
    const addresses = await addressesOf(hostOf(url), lookup);
    if (!addresses.every((address) => rules.mayReach(address, portOf(url))))
      throw new NoAnswer('address_not_allowed');
    attempt.signal.throwIfAborted();
    const target = { url, addresses: fewOf(addresses), timeoutMs: connectTimeoutMs };
    return connections.open({ ...target, secureContext: secureContext() }, attempt);
  }

  return {
    async post(url, headers, body) {
      const startedAt = performance.now();
      const over = new AbortController();
      const attempt: Attempt = { phase: 'url', signal: over.signal };
      const end = () => ({ phase: attempt.phase, durationMs: Math.round(performance.now() - startedAt) });
      const timer = setTimeout(() => over.abort(new NoAnswer('timed_out')), timeoutMs);
      running.add(over);
      try {
        if (!isAllowedUrl(url, rules)) throw new NoAnswer('address_not_allowed');
        const answer = await beforeAbort(
          over.signal,
          answerTo({ url: new URL(url), headers, body }, attempt),
        );
        const { status, retryAfterMs } = answer;
        return { answered: true, status, retryAfterMs, excerpt: await answer.excerpt, ...end() };
      } catch (error) {
        return { answered: false, reason: reasonOf(error, attempt.phase), ...end() };
      } finally {
        clearTimeout(timer);
        running.delete(over);
      }
    },
    async close() {
      for (const attempt of running) attempt.abort(new NoAnswer('connection_lost'));
      connections.closeIdle();
    },
  };
}

/** Everything below ends at the abort by itself; this holds even for what would not. */
function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, late]);
}

const fewOf = (addresses: readonly string[]): string[] => {
  const isIpv6 = (address: string) => address.includes(':');
  const few = (wanted: boolean) =>
    addresses.filter((address) => isIpv6(address) === wanted).slice(0, addressesTriedMax);
  return [...few(false), ...few(true)];
};

type Request = { url: URL; headers: Record<string, string>; body: Buffer };

/** Success or not is decided once the headers are in (decision 28), so only the excerpt is still under way then. */
type Answer = { status: number; retryAfterMs: number | null; excerpt: Promise<Buffer> };

function exchange(
  { client }: Connection,
  { url, headers, body }: Request,
  attempt: Attempt,
  keepConnection: () => void,
): Promise<Answer> {
  attempt.phase = 'send';
  return new Promise((resolve, reject) => {
    const excerpt = collectExcerpt();
    const drop = () => void client.destroy(attempt.signal.reason ?? null);
    attempt.signal.addEventListener('abort', drop, { once: true });
    let patience: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(patience);
      attempt.signal.removeEventListener('abort', drop);
      excerpt.end();
    };
    client.dispatch(
      { path: url.pathname + url.search, method: 'POST', headers, body },
      {
        onRequestStart() {},
        onRequestSent() {
          attempt.phase = 'headers';
        },
        onResponseStart(_, status, responseHeaders) {
          if (status < 200) return;
          attempt.phase = 'body';
          patience = setTimeout(drop, excerptTimeoutMs);
          const wait = retryAfterMs(responseHeaders['retry-after']);
          resolve({ status, retryAfterMs: wait, excerpt: excerpt.whole });
        },
        onResponseData(_, chunk) {
          if (excerpt.isFullWith(chunk)) drop();
        },
        onResponseEnd() {
          end();
          // Only after this turn has the client closed a connection that the receiver does not want to keep.
          queueMicrotask(keepConnection);
        },
        onResponseError(_, error) {
          end();
          reject(error);
        },
      },
    );
  });
}

/** The first bytes of what the receiver said, for the attempt log; what there is when the time is up. */
function collectExcerpt() {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  return {
    whole: promise,
    isFullWith(chunk: Buffer): boolean {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      return sizeBytes >= limits.responseExcerptBytesMax;
    },
    end: () => resolve(Buffer.concat(chunks).subarray(0, limits.responseExcerptBytesMax)),
  };
}

/** Seconds or an HTTP date, as milliseconds from now (RFC 9110, 10.2.3); anything else counts as absent. */
export function retryAfterMs(header: string | string[] | undefined, now = Date.now()): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const date = /GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(date - now, 0);
}

function reasonOf(error: unknown, phase: AttemptPhase): NoAnswerReason {
  if (error instanceof NoAnswer) return error.reason;
  const { name = '', code = '', message = '' } = error as { name?: string; code?: string; message?: string };
  if (code === 'ETIMEDOUT') return 'timed_out';
  if (phase === 'connect') return 'connection_failed';
  if (phase === 'tls' && !lostCodes.includes(code)) return 'tls_failed';
  // Under TLS 1.3 a server judges the client after the handshake.
  if (code.startsWith('ERR_SSL_')) return 'tls_failed';
  const isMalformed =
    name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW' || badMessages.includes(message);
  return isMalformed ? 'malformed_answer' : 'connection_lost';
}

const lostCodes = ['ECONNRESET', 'EPIPE'];
/** How undici words an interim answer that nobody asked for: 100 and 101. */
const badMessages = ['bad response', 'bad upgrade'];
