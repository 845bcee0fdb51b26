import type { AttemptPhase } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { type AddressRules, hostOf, isAllowedUrl, portOf } from './addresses.ts';
import { NoAnswer, type NoAnswerReason } from './no-answer.ts';
import { type Attempt, type Connection, createConnections, secureContextOf } from './outbound-connections.ts';
import { addressesOf } from './resolver.ts';

const attemptTimeoutMs = 15_000;
const defaultResolveTimeoutMs = 3_000;
const defaultConnectTimeoutMs = 5_000;
/**
 * This time is short, because the receiver may close an idle connection just before the next request. The risk grows with the idle
 * time.
 */
const defaultIdleMs = 3_000;
const excerptTimeoutMs = 1_000;
/**
 * The maximum number of addresses that are tried in each address family. All addresses are checked, but a name can have a thousand
 * addresses.
 */
const addressesTriedMax = 4;

/**
 * The outcome of one POST. `phase` is the last phase that the attempt reached. `post` never throws because of a receiver's
 * behaviour.
 */
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
  /** Certificate authorities (PEM) that are trusted in addition to those of Node. */
  extraCa?: () => readonly string[];
  /** Name servers as `address:port`. If undefined, the name servers of the system are used. */
  dnsServers?: readonly string[];
  timeoutMs?: number;
  resolveTimeoutMs?: number;
  connectTimeoutMs?: number;
  /** The time for which an idle connection is kept for another request. */
  idleMs?: number;
};

/**
 * Sends webhooks (decision 29). The sender connects only to addresses that passed the rules, and follows no
 * redirect. One deadline (`timeoutMs`) covers all phases of an attempt. When the deadline passes, everything
 * that the attempt has open is closed.
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
  const route: Route = {
    ...{ rules, dnsServers, resolveTimeoutMs, connectTimeoutMs, connections },
    secureContext: secureContextOf(extraCa),
  };
  const running = new Set<AbortController>();

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
        const request = { url: new URL(url), headers, body };
        const answer = await beforeAbort(over.signal, answerTo(request, attempt, route));
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

type Route = {
  rules: AddressRules;
  dnsServers: readonly string[] | undefined;
  resolveTimeoutMs: number;
  connectTimeoutMs: number;
  connections: ReturnType<typeof createConnections>;
  secureContext: ReturnType<typeof secureContextOf>;
};

async function answerTo(request: Request, attempt: Attempt, route: Route): Promise<Answer> {
  const { url } = request;
  const { connections } = route;
  const connection = connections.takeIdle(url.origin) ?? (await open(url, attempt, route));
  try {
    return await exchange(connection, request, attempt, () => connections.keep(connection));
  } catch (error) {
    void connection.client.destroy();
    throw error;
  }
}

async function open(url: URL, attempt: Attempt, route: Route): Promise<Connection> {
  attempt.phase = 'resolve';
  const lookup = { timeoutMs: route.resolveTimeoutMs, servers: route.dnsServers, signal: attempt.signal };
  const addresses = await addressesOf(hostOf(url), lookup);
  if (!addresses.every((address) => route.rules.mayReach(address, portOf(url))))
    throw new NoAnswer('address_not_allowed');
  attempt.signal.throwIfAborted();
  const target = { url, addresses: fewOf(addresses), timeoutMs: route.connectTimeoutMs };
  return route.connections.open({ ...target, secureContext: route.secureContext() }, attempt);
}

/** Every phase should stop by itself when the signal aborts. The race enforces the deadline even if a phase does not stop. */
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

/**
 * The answer of a receiver. The status alone decides on success (decision 28), so the answer is complete before the excerpt has
 * arrived.
 */
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
          // If the receiver asked to close the connection, the client closes it only after this callback. Therefore
          // `keepConnection` runs later and finds the socket closed.
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

/**
 * Collects the first bytes of the body for the attempt log. If the time-out ends the body early, the excerpt contains the bytes
 * received so far.
 */
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

/**
 * Converts the header Retry-After to milliseconds from now (RFC 9110, 10.2.3). The header is a number of seconds or an HTTP date.
 * For any other value, returns null.
 */
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
  // A TLS 1.3 server may reject the client after the handshake, so TLS errors can also occur in later phases.
  if (code.startsWith('ERR_SSL_')) return 'tls_failed';
  const isMalformed =
    name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW' || badMessages.includes(message);
  return isMalformed ? 'malformed_answer' : 'connection_lost';
}

const lostCodes = ['ECONNRESET', 'EPIPE'];
/** The messages of undici's errors for malformed answers, for example for an unexpected status 100 or 101. */
const badMessages = ['bad response', 'bad upgrade'];
