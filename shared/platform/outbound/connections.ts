import { isIP, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { AttemptPhase } from '#contract/enums.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { hostOf, portOf } from './addresses.ts';
import { connectToFirst } from './connect.ts';
import { NoAnswer } from './no-answer.ts';

/**
 * The state of an attempt. `phase` is the current phase. `kept` is true on a connection that has served another attempt. `signal` ends
 * the attempt early. `sent` has the headers as they were written, and is null before.
 */
export type Attempt = {
  phase: AttemptPhase;
  kept: boolean;
  sent: Headers | null;
  readonly signal: AbortSignal;
};

export type Headers = Readonly<Record<string, string>>;

export type Connection = { url: URL; socket: TLSSocket; openedAt: number };

/**
 * The maximum age of a connection that is reused. Without this limit, a busy connection could use an old address of the host name
 * forever.
 */
const lifetimeMs = minuteMs;

/** For how long, and for how many origins at most, a receiver that closes kept connections gets a new one for each attempt. */
const closers = { ttl: hourMs, max: 10_000 } as const;

type Target = {
  url: URL;
  /** The addresses that passed the address rules. The socket connects to no other address. */
  addresses: readonly string[];
  secureContext: SecureContext;
  timeoutMs: number;
};

/** Opens TCP and TLS within one time-out. The certificate must be valid for the host name, whichever address answers. */
async function openConnection(target: Target, attempt: Attempt): Promise<Connection> {
  const { url, addresses, timeoutMs } = target;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new NoAnswer('timed_out')), timeoutMs);
  const signal = AbortSignal.any([attempt.signal, late.signal]);
  try {
    attempt.phase = 'connect';
    const plain = await connectToFirst(addresses, portOf(url), signal);
    attempt.phase = 'tls';
    const socket = await secured(plain, target, signal);
    return { url, socket, openedAt: performance.now() };
  } finally {
    clearTimeout(timer);
  }
}

function secured(plain: Socket, { url, secureContext }: Target, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = tlsConnect({
    socket: plain,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
  const giveUp = () => socket.destroy(signal.reason);
  const end = () => signal.removeEventListener('abort', giveUp);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  socket.once('secureConnect', () => {
    end();
    resolve(socket);
  });
  // This listener is never removed, since an error without a listener would end the process.
  socket.on('error', (error) => {
    end();
    reject(error);
  });
  socket.once('close', () => {
    end();
    reject(new NoAnswer('connection_lost'));
  });
  return promise;
}

/** A connection that waits for its next request. */
type Idle = { connection: Connection; until: number; leave: () => void };

/**
 * Keeps idle connections for the next request to the same URL. A connection without a request closes after `idleMs`, or before, if its
 * receiver says so. Organisations can have receivers behind one host. So a connection serves one URL alone: what one receiver sends too
 * late can then not be taken for the answer of another one.
 */
export function createConnections(idleMs: number) {
  const idle = new Map<string, Set<Idle>>();
  const closingOrigins = new LRUCache<string, true>(closers);

  function forget(waiting: Idle): void {
    const { href } = waiting.connection.url;
    const siblings = idle.get(href);
    siblings?.delete(waiting);
    if (siblings?.size === 0) idle.delete(href);
  }

  /** A receiver that ends an idle connection, or sends anything on it, gets no kept connection again. */
  function wait(connection: Connection, forMs: number): void {
    const { url, socket } = connection;
    const close = () => socket.destroy();
    const lose = () => {
      closingOrigins.set(url.origin, true);
      close();
    };
    const timer = setTimeout(close, forMs);
    const gone = () => forget(waiting);
    const leave = () => {
      clearTimeout(timer);
      socket.off('data', lose).off('end', lose).off('error', lose).off('close', gone);
    };
    const waiting = { connection, until: performance.now() + forMs, leave };
    socket.on('data', lose).on('end', lose).on('error', lose).on('close', gone);
    idle.set(url.href, (idle.get(url.href) ?? new Set()).add(waiting));
  }

  return {
    open: openConnection,

    /**
     * Returns a connection that still stands. One turn of the event loop is waited for before that, because the receiver may have ended
     * it in the meantime. On a busy machine timers are late, so the age is read.
     */
    async takeIdle({ href }: URL): Promise<Connection | undefined> {
      for (;;) {
        const waiting = [...(idle.get(href) ?? [])].at(-1);
        if (waiting === undefined) return undefined;
        forget(waiting);
        const { connection, until, leave } = waiting;
        if (performance.now() > until) connection.socket.destroy();
        // The first turn may end without a look at the network, if it had begun with one.
        await nextTurn();
        await nextTurn();
        leave();
        if (!connection.socket.destroyed) return connection;
      }
    },

    /** `forMs` is the time for which the receiver keeps the connection. */
    keep(connection: Connection, forMs: number): void {
      const { url, socket, openedAt } = connection;
      const isOld = performance.now() - openedAt > lifetimeMs;
      if (forMs <= 0 || isOld || socket.destroyed || closingOrigins.has(url.origin)) socket.destroy();
      else wait(connection, Math.min(idleMs, forMs));
    },

    /**
     * From now on this origin gets a new connection for each attempt. An attempt that was lost on a kept connection is never sent again:
     * the receiver may have read it before it closed the connection.
     */
    keepNone({ origin }: URL): void {
      closingOrigins.set(origin, true);
    },

    keepsNone: ({ origin }: URL): boolean => closingOrigins.has(origin),

    closeIdle(): void {
      for (const siblings of idle.values())
        for (const { connection } of siblings) connection.socket.destroy();
    },
  };
}

/**
 * The ciphers of Node without those whose key exchange is in a finite field. There the receiver chooses the size of the field, and one
 * handshake can take a second of processor time. Browsers do not offer them either.
 */
const ciphers = `${DEFAULT_CIPHERS}:!DHE`;

/**
 * Accepts TLS 1.2 or newer. Trusts the certificate authorities of Node and the extra authorities. The context is built again only
 * if the extra authorities change, since building a context is slow.
 */
export function secureContextOf(extraAuthorities: () => readonly string[]): () => SecureContext {
  let made: { of: string; context: SecureContext } | undefined;
  return () => {
    const extra = extraAuthorities();
    const of = extra.join();
    if (made?.of !== of) {
      const ca = extra.length > 0 ? { ca: [...getCACertificates('default'), ...extra] } : {};
      made = { of, context: createSecureContext({ minVersion: 'TLSv1.2', ciphers, ...ca }) };
    }
    return made.context;
  };
}
