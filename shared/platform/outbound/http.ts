import type { AttemptPhase } from '#contract/enums.ts';
import { type AddressRules, hostOf, isAllowedUrl, portOf } from './addresses.ts';
import {
  type Attempt,
  type Connection,
  createConnections,
  type Headers,
  secureContextOf,
} from './connections.ts';
import { type Answer, exchange, type Request } from './exchange.ts';
import { NoAnswer, type NoAnswerReason } from './no-answer.ts';
import { addressesOf } from './resolver.ts';

const attemptTimeoutMs = 15_000;
const defaultResolveTimeoutMs = 3_000;
const defaultConnectTimeoutMs = 5_000;
/**
 * This time is short, because the receiver may close an idle connection just before the next request. The risk grows with the idle
 * time.
 */
const defaultIdleMs = 3_000;
/**
 * The maximum number of addresses that are tried in each address family. All addresses are checked, but a name can have a thousand
 * addresses.
 */
const addressesTriedMax = 4;

/**
 * The outcome of one POST. `phase` is the last phase that the attempt reached. `kept` is true if its connection had served another
 * POST before. `sent` has the headers as they were written, and is null if the attempt ended before. `post` never throws because of a
 * receiver's behaviour.
 */
export type Posted = { phase: AttemptPhase; kept: boolean; sent: Headers | null; durationMs: number } & (
  | ({ answered: true; excerpt: Buffer } & Omit<Answer, 'excerpt'>)
  | { answered: false; reason: NoAnswerReason }
);

export type Sender = {
  post(url: string, headers: Headers, body: Buffer): Promise<Posted>;
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
      const attempt: Attempt = { phase: 'url', kept: false, sent: null, signal: over.signal };
      const end = () => ({
        ...{ phase: attempt.phase, kept: attempt.kept, sent: attempt.sent },
        durationMs: Math.round(performance.now() - startedAt),
      });
      const timer = setTimeout(() => over.abort(new NoAnswer('timed_out')), timeoutMs);
      running.add(over);
      try {
        if (!isAllowedUrl(url, rules)) throw new NoAnswer('address_not_allowed');
        const request = { url: new URL(url), headers, body };
        const answer = await beforeAbort(over.signal, answerTo(request, attempt, route));
        return { answered: true, ...answer, excerpt: await answer.excerpt, ...end() };
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

/**
 * Sends the request once, on a kept connection if one still stands. If it is lost there, the attempt has failed, and the next ones get
 * connections of their own.
 */
async function answerTo(request: Request, attempt: Attempt, route: Route): Promise<Answer> {
  const { connections } = route;
  const { url } = request;
  const kept = await connections.takeIdle(url);
  attempt.kept = kept !== undefined;
  const connection = kept ?? (await open(url, attempt, route));
  const keep = (forMs: number) => connections.keep(connection, forMs);
  try {
    return await exchange(connection, request, attempt, connections.keepsNone(url) ? undefined : keep);
  } catch (error) {
    if (attempt.kept) connections.keepNone(url);
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

function reasonOf(error: unknown, phase: AttemptPhase): NoAnswerReason {
  if (error instanceof NoAnswer) return error.reason;
  const { code = '' } = error as { code?: string };
  if (code === 'ETIMEDOUT') return 'timed_out';
  if (phase === 'connect') return 'connection_failed';
  if (phase === 'tls' && !lostCodes.includes(code)) return 'tls_failed';
  // A TLS 1.3 server may reject the client after the handshake, so TLS errors can also occur in later phases.
  return code.startsWith('ERR_SSL_') ? 'tls_failed' : 'connection_lost';
}

const lostCodes = ['ECONNRESET', 'EPIPE'];
