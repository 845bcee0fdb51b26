import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Proxy = {
  port: number;
  /** Delays every answer of the server from now on. */
  delayAnswers(ms: number): void;
  /** Breaks every connection, and accepts new connections. */
  cut(): void;
  /** Breaks every connection, and refuses new connections until `up`. */
  down(): void;
  up(): Promise<void>;
  stop(): void;
};

/** Starts a TCP proxy on loopback in front of a server. It behaves like a bad network or a busy server. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    // Answers are sent one after the other, so that none overtakes an earlier answer.
    let answered: Promise<unknown> = Promise.resolve();
    keep(client)
      .on('data', (chunk) => target.write(chunk))
      .on('close', () => target.destroy());
    keep(target)
      .on('data', (chunk) => {
        answered = Promise.all([answered, pause(delayMs)]).then(() => client.writable && client.write(chunk));
      })
      .on('close', () => void answered.then(() => client.destroy()));
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const down = () => {
    server.close();
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
    stop: down,
  };
}
