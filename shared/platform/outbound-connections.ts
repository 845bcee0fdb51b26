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

/** How far an attempt is, and what ends it early. */
export type Attempt = { phase: AttemptPhase; readonly signal: AbortSignal };

/** One TLS connection with the HTTP client that owns it. Once the connection is gone, so is the client. */
export type Connection = { origin: string; client: Client; socket: TLSSocket; openedAt: number };

/** So that a connection in steady use does not outlive a change of the name's addresses by much. */
const lifetimeMs = 60_000;

type Target = {
  url: URL;
  /** Those that were judged; no other is connected to. */
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

/** TCP and TLS within one time-out. The certificate has to be the host name's, whichever address answers. */
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
    // Stays for as long as the socket lives: an error between its owners would otherwise end the process.
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

/** In place of a lookup: a name is looked up once, and what was judged is what is connected to. */
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
      // The client goes on from here only when it is called back later.
      queueMicrotask(() =>
        usable ? callback(null, socket) : callback(new NoAnswer('connection_lost'), null),
      );
    },
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Both restart at every byte or chunk; the attempt's own deadline does not.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  socket.once('close', () => void client.destroy());
  return client;
}

/** Connections, kept between two requests by their origin; one that waits in vain closes itself. */
export function createConnections(idleMs: number) {
  const idle = new Map<string, Set<Connection>>();

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

    takeIdle(origin: string): Connection | undefined {
      const connection = [...(idle.get(origin) ?? [])].at(-1);
      if (connection !== undefined) forget(connection);
      return connection;
    },

    keep(connection: Connection): void {
      const { origin, client, socket, openedAt } = connection;
      if (socket.destroyed || performance.now() - openedAt > lifetimeMs) return void client.destroy();
      const siblings = idle.get(origin) ?? new Set();
      idle.set(origin, siblings.add(connection));
    },

    closeIdle(): void {
      for (const siblings of idle.values()) for (const { client } of siblings) void client.destroy();
    },
  };
}

/** TLS 1.2 at least, by the usual authorities and the extra ones; made anew only when these change, for it is slow. */
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
