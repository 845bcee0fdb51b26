import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import { atTheEnd } from '../at-the-end.ts';

export type Received = {
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
};

type Reply = {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  delayMs?: number;
  /** The answer is sent after this promise resolves. */
  until?: Promise<unknown>;
};

/** An answer, or a function that chooses the answer from all requests so far, the last of which it answers. */
type Script = Reply | ((received: readonly Received[], last: Received) => Reply);

/** Starts a partner's server with TLS. It records every request and answers by script; the last answer repeats. */
export async function startReceiver(...replies: Script[]) {
  const received: Received[] = [];
  const { cert, key } = inject('receiverTls');
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const script = replies[Math.min(received.length, replies.length - 1)] ?? { status: 200 };
    const last = {
      at: Date.now(),
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    };
    received.push(last);
    const reply = typeof script === 'function' ? script(received, last) : script;
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    await reply.until;
    response.writeHead(reply.status, reply.headers).end(reply.body ?? '{"received":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = atTheEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hooks`,
    received,
    async waitFor(count: number, timeoutMs = 20_000): Promise<Received[]> {
      const until = Date.now() + timeoutMs;
      while (received.length < count) {
        if (Date.now() > until) throw new Error(`only ${received.length} of ${count} requests arrived`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return received;
    },
    /** Stops the receiver before the end of the file, when it would stop by itself. */
    stop,
  };
}
