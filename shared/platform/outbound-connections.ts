import { isIP, type LookupFunction } from 'node:net';
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import { Client } from 'undici';
import type { AttemptPhase } from '#contract/enums.ts';
import { hostOf, portOf } from './addresses.ts';
import { NoAnswer } from './no-answer.ts';

/** The state of an attempt. `phase` is the current phase. `signal` ends the attempt early. */
export type Attempt = { phase: AttemptPhase; readonly signal: AbortSignal };

/** A TLS connection and its HTTP client. When the connection closes, the client is destroyed. */
export type Connection = { origin: string; client: Client; socket: TLSSocket; openedAt: number };

/**
 * The maximum age of a connection that is reused. Without this limit, a busy connection could use an old address of the host name
 * forever.
 */
const lifetimeMs = 60_000;

type Target = {
  url: URL;
  /** The addresses that passed the address rules. The socket connects to no other address. */
  addresses: readonly string[];
  secureContext: SecureContext;
  timeoutMs: number;
};

async function openConnection(target: Target, idleMs: number, attempt: Attempt): Promise<Connection> {
  const { origin } = target.url;
  const socket = await securedSocket(target, attempt);
  if (attempt.signal.aborted) {
    socket.destroy();
    throw attempt.signal.reason;
  }
  return { origin, client: clientOf(origin, socket, idleMs), socket, openedAt: performance.now() };
}

/** Opens TCP and TLS within one time-out. The certificate must be valid for the host name, whichever address answers. */
function securedSocket({ url, addresses, secureContext, timeoutMs }: Target, attempt: Attempt) {
  const host = hostOf(url);
  attempt.phase = 'connect';
  return new Promise<TLSSocket>((resolve, reject) => {
    const socket = tlsConnect({
      host,
      port: portOf(url),
      ...(isIP(host) === 0 && { servername: host }),
      lookup: answerWith(addresses),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    const giveUp = () => socket.destroy(attempt.signal.reason);
    const timer = setTimeout(() => socket.destroy(new NoAnswer('timed_out')), timeoutMs);
    attempt.signal.addEventListener('abort', giveUp, { once: true });
    const end = () => {
      clearTimeout(timer);
      attempt.signal.removeEventListener('abort', giveUp);
    };
    socket.once('connect', () => {
      attempt.phase = 'tls';
    });
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
  });
}

/**
 * Replaces the DNS lookup of the socket. A second lookup could return an address that the rules have not
 * checked.
 */
const answerWith =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, done) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first = { address: '', family: 4 }] = all;
    if (options.all) done(null, all);
    else done(null, first.address, first.family);
  };

function clientOf(origin: string, socket: TLSSocket, idleMs: number): Client {
  let used = false;
  const client = new Client(origin, {
    connect: (_options, callback) => {
      const usable = !used && !socket.destroyed;
      used = true;
      // The client needs an asynchronous callback.
      queueMicrotask(() =>
        usable ? callback(null, socket) : callback(new NoAnswer('connection_lost'), null),
      );
    },
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // undici restarts these time-outs at every byte or chunk, so they are off. A deadline ends the attempt instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  socket.once('close', () => void client.destroy());
  return client;
}

/**
 * Keeps idle connections for the next request to the same origin. A connection without a request closes after
 * `idleMs`.
 */
export function createConnections(idleMs: number) {
  const idle = new Map<string, Map<Connection, { since: number }>>();

  function forget(connection: Connection): void {
    const siblings = idle.get(connection.origin);
    siblings?.delete(connection);
    if (siblings?.size === 0) idle.delete(connection.origin);
  }

  return {
    async open(target: Target, attempt: Attempt): Promise<Connection> {
      const connection = await openConnection(target, idleMs, attempt);
      connection.socket.once('close', () => forget(connection));
      return connection;
    },

    /** On a busy machine timers are late. So the age is read, or the receiver might close the connection just as it is used. */
    takeIdle(origin: string): Connection | undefined {
      const [connection, { since } = { since: 0 }] = [...(idle.get(origin) ?? [])].at(-1) ?? [];
      if (connection === undefined) return undefined;
      forget(connection);
      if (performance.now() - since <= idleMs) return connection;
      void connection.client.destroy();
      return this.takeIdle(origin);
    },

    keep(connection: Connection): void {
      const { origin, client, socket, openedAt } = connection;
      if (socket.destroyed || performance.now() - openedAt > lifetimeMs) return void client.destroy();
      const siblings = idle.get(origin) ?? new Map();
      idle.set(origin, siblings.set(connection, { since: performance.now() }));
    },

    closeIdle(): void {
      for (const siblings of idle.values()) for (const { client } of siblings.keys()) void client.destroy();
    },
  };
}

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
      made = { of, context: createSecureContext({ minVersion: 'TLSv1.2', ...ca }) };
    }
    return made.context;
  };
}
