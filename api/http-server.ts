import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartFault } from '#platform/failures.ts';
import type { RateLimits } from '#platform/limits/rate-limits.ts';
import { GuardedRequest } from './guarded-request.ts';
import { headBytesMax, isWellFormed } from './middleware/well-formed.ts';
import { endSoon, type ParserFault, rawRefusals } from './raw-refusals.ts';
import type { RefusalForm, RefusalPages } from './refusal-pages.ts';

/** How long a stop waits for open requests. The wait is longer than the deadline of a request, which is 10 s. */
const drainMs = 12_000;

export type ConnectionLimits = {
  /** The time in which the headers of a request must arrive. */
  headersMs: number;
  /**
   * The time in which a whole request must arrive. The request of a person may take longer, but its body must not stop for this time.
   */
  requestMs: number;
  /**
   * The time after which an idle connection is closed. Proxies usually keep idle connections for a minute, so a shorter time would
   * close connections that a proxy still uses.
   */
  idleMs: number;
  /** How often the server looks for slow connections. */
  checkEveryMs: number;
  /** Connections above this number are closed at once, so that file descriptors and memory suffice for the open ones. */
  connectionsMax: number;
};

const usualLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  checkEveryMs: 1_000,
  connectionsMax: 10_000,
};

export type RunningServer = {
  port: number;
  /** Accepts no new connections, answers the open requests, and closes. */
  stop(): Promise<void>;
};

export type HttpPlace = {
  host: string;
  port: number;
  /** The variable that chooses another port. */
  portName: 'PORT' | 'CONSOLE_PORT';
};

export type HttpParts = HttpPlace & {
  /** `isMalformed` returns true if the server judged the request as malformed when it arrived. */
  handlerFor: (
    isMalformed: (request: IncomingMessage) => boolean,
  ) => (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  rateLimits: RateLimits;
  connections?: ConnectionLimits | undefined;
  /** Writes refusals as pages, for those who use a browser. */
  refusalPages?: RefusalPages;
  /** Writes refusals in another form than that of REST, for other programs. */
  refusalForm?: RefusalForm;
};

/** Starts a server that refuses what no handler should read, and that stops without cutting an answer off. */
export async function serveHttp(parts: HttpParts): Promise<RunningServer> {
  const { handlerFor, rateLimits, connections = usualLimits, refusalPages, refusalForm } = parts;
  const malformed = new WeakSet<IncomingMessage>();
  const handle = handlerFor((request) => malformed.has(request));
  const { follow, refuse, refuseBody } = rawRefusals(rateLimits, refusalPages, refusalForm);
  let draining = false;
  /** Connections that end after the current request. Later requests on such a connection are ignored (RFC 9112, 9.6). */
  const ending = new WeakSet<Duplex>();
  /** The requests whose answers are not complete, with these answers. */
  const open = new Map<GuardedRequest, ServerResponse>();
  const serve = (request: GuardedRequest, response: ServerResponse) => {
    if (ending.has(request.socket)) return;
    follow(request, response);
    open.set(request, response);
    response.once('close', () => open.delete(request));
    response.once('finish', () => endIfUnread(request));
    request.guard(() => {
      request.socket.pause();
      refuseBody('malformed_request', request, response);
    });
    const isGood = isWellFormed(request);
    if (!isGood) malformed.add(request);
    // Upgrades are not offered. Node drops the bytes that follow a request for an upgrade, so the connection must end.
    if (!isGood || draining || request.headers.upgrade !== undefined) {
      ending.add(request.socket);
      response.setHeader('Connection', 'close');
    }
    void handle(request, response);
  };
  const server = createHttpServer(connections, serve, refuse);
  const refuseSlow = () => {
    for (const [request, response] of open)
      if (request.isTooSlow(connections.requestMs)) refuseBody('request_timeout', request, response);
  };
  // If this process stood still, the bytes that came meanwhile are read first. Otherwise it would blame the sender for its own pause.
  const rateCheck = setInterval(() => setImmediate(refuseSlow), connections.checkEveryMs);
  await listen(server, parts);

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      draining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(late);
      clearInterval(rateCheck);
    },
  };
}

function createHttpServer(
  { headersMs, requestMs, idleMs, checkEveryMs, connectionsMax }: ConnectionLimits,
  serve: (request: GuardedRequest, response: ServerResponse) => void,
  refuse: (fault: ParserFault, socket: Duplex) => void,
): Server {
  const options = {
    IncomingMessage: GuardedRequest,
    // If a request has no Host, Node would answer without a body. `isWellFormed` refuses it in the form of every other error.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: headBytesMax.read,
  };
  const server = createServer(options, serve);
  server.maxConnections = connectionsMax;
  // A server may ignore an expectation other than 100-continue (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', refuse);
  // Tunnels are not offered. Without this handler, Node would close the connection without an answer.
  server.on('connect', (_request, socket) => refuse({}, socket));
  return server;
}

/**
 * After an early answer the rest of the body is read and dropped, so that the connection stays usable. If nobody began to read a
 * body, Node drops it without a call of `push`, so its pieces are not guarded. If such a body comes in chunks, its connection ends,
 * since chunks need not end.
 */
function endIfUnread(request: GuardedRequest): void {
  const { complete, readableDidRead, headers, socket, endsWithAnswer } = request;
  const isUnguarded = !readableDidRead && headers['transfer-encoding'] !== undefined;
  if (complete || !(endsWithAnswer || isUnguarded)) return;
  // Node resumes the socket on the next tick, to drop the body.
  setImmediate(() => socket.pause());
  endSoon(socket);
}

function listen(server: Server, { host, port, portName }: HttpPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new StartFault(
              `Port ${port} on ${host} is in use. Stop what uses it, or choose another: ${portName}=${port + 1} npm start`,
            )
          : new StartFault(
              `Cannot listen on ${host}, port ${port} (${error.code}). Check HOST and ${portName}.`,
            ),
      ),
    );
    server.listen(port, host, resolve);
  });
}
