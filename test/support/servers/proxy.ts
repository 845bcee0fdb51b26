import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** From the client to the server, or back. */
export type Direction = 'requests' | 'answers';

export type NetworkProxy = {
  port: number;
  /** Delays every answer of the server from now on. */
  delayAnswers(ms: number): void;
  /** Breaks every connection, and accepts new connections. */
  cut(): void;
  /** Breaks every connection, and refuses new connections until `up`. */
  down(): void;
  up(): Promise<void>;
  /**
   * Holds back all bytes of these directions until `release`, as a network does that loses every packet. Sockets stay open. New
   * connections wait.
   */
  hold(...directions: Direction[]): void;
  release(): void;
  /** Tells each client that its server has finished. The server is not told, and what it still sends is dropped. */
  halfClose(): void;
  /**
   * Never passes another byte on the present connections, and closes none of them, as if a machine at their end had vanished.
   * Returns a function that breaks them at last.
   */
  abandon(): () => void;
  stop(): void;
};

/** A connection of a client, and the connection to the server behind it. */
type Pair = { client: Socket; server: Socket; answers: Transform; held: Set<Direction> };

/**
 * Starts a TCP proxy on loopback in front of a server. It behaves like a bad network or a busy server. A function names the port of a
 * server that is started again on another one.
 */
export async function startProxy(target: number | (() => number)): Promise<NetworkProxy> {
  let delayMs = 0;
  const held = new Set<Direction>();
  const waiting = new Set<Socket>();
  const pairs = new Set<Pair>();

  const join = (client: Socket) => {
    const port = typeof target === 'number' ? target : target();
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pair = { client, server, answers: delayed(() => delayMs), held: new Set<Direction>() };
    pairs.add(pair);
    for (const socket of [client, server])
      socket.on('error', () => undefined).on('close', () => finish(pair));
    client.on('close', () => pairs.delete(pair));
    server.pipe(pair.answers).on('end', () => client.end());
    letPass(pair);
  };
  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    if (held.size === 0) return join(client);
    waiting.add(client.on('error', () => undefined).on('close', () => waiting.delete(client)));
  });
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return (listener.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cut = () => {
    for (const pair of pairs) end(pair);
    for (const client of waiting) client.destroy();
  };
  const down = () => {
    listener.close();
    cut();
  };

  return {
    port,
    delayAnswers(ms) {
      delayMs = ms;
    },
    cut,
    down,
    up: async () => void (await listen(port)),
    hold(...directions) {
      for (const direction of directions) held.add(direction);
      for (const pair of pairs) holdBack(pair, directions);
    },
    release() {
      held.clear();
      for (const pair of pairs) {
        pair.held.clear();
        letPass(pair);
        finish(pair);
      }
      for (const client of waiting) join(client);
      waiting.clear();
    },
    halfClose() {
      for (const { client, server, answers } of pairs) {
        server.unpipe(answers).resume();
        answers.end();
        client.end();
      }
    },
    abandon() {
      const abandoned = [...pairs];
      pairs.clear();
      for (const pair of abandoned) holdBack(pair, ['requests', 'answers']);
      return () => {
        for (const pair of abandoned) end(pair);
      };
    },
    stop: down,
  };
}

/** Passes the answers on in their order, each after the current delay. */
function delayed(delayMs: () => number): Transform {
  let last: Promise<unknown> | undefined;
  return new Transform({
    transform(chunk, _, done) {
      const ms = delayMs();
      if (ms === 0 && last === undefined) return done(null, chunk);
      const passed = Promise.all([last, pause(ms)]).then(() => void this.push(chunk));
      last = passed.finally(() => {
        if (last === passed) last = undefined;
      });
      done();
    },
    flush: (done) => void Promise.resolve(last).then(() => done()),
  });
}

/** A second `pipe` to the same socket would double every byte, so the first one ends before. */
function letPass({ client, server, answers, held }: Pair): void {
  if (!held.has('requests')) client.unpipe(server).pipe(server);
  if (held.has('answers')) return;
  answers.unpipe(client).pipe(client, { end: false });
  server.resume();
}

/** A socket that is not read does not notice that its other end has closed, so the close is held back too. */
function holdBack(pair: Pair, directions: readonly Direction[]): void {
  const { client, server, answers, held } = pair;
  for (const direction of directions) held.add(direction);
  if (held.has('requests')) client.unpipe(server).pause();
  if (!held.has('answers')) return;
  answers.unpipe(client).pause();
  server.pause();
}

/** Closes the other socket if one is closed. What the server sent before its close still reaches the client. */
function finish({ client, server, answers, held }: Pair): void {
  if (held.size > 0) return;
  if (client.destroyed) server.destroy();
  else if (answers.readableEnded && server.destroyed) client.destroySoon();
  else if (server.destroyed) answers.end().once('end', () => client.destroySoon());
}

function end({ client, server }: Pair): void {
  client.destroy();
  server.destroy();
}
