import { connect, type Socket } from 'node:net';

/** How long an address is tried alone before the next one is tried as well (RFC 8305, section 5). */
const aloneMs = 250;

/**
 * Connects to the first address that accepts. A further address is tried as well after `aloneMs`, or as soon as one fails, and ends no
 * attempt that is under way. With Node's own choice of a family it would: a receiver that takes a second to accept could then never be
 * reached beside an address that leads nowhere. Rejects with the last error if all fail, or with the reason of `signal`.
 */
export function connectToFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const waiting = [...addresses];
  const trying = new Set<Socket>();
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();

  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    for (const socket of trying) socket.destroy();
    waiting.length = 0;
  };
  const giveUp = () => {
    end();
    reject(signal.reason);
  };
  const fail = (error: unknown) => {
    if (waiting.length > 0) return tryNext();
    if (trying.size > 0) return;
    end();
    reject(error);
  };
  const tryNext = () => {
    clearTimeout(timer);
    const host = waiting.shift();
    if (host === undefined) return;
    const socket = connect({ host, port });
    trying.add(socket);
    // This listener is never removed, since an error without a listener would end the process.
    socket.on('error', (error) => {
      if (trying.delete(socket)) fail(error);
    });
    socket.once('connect', () => {
      trying.delete(socket);
      end();
      resolve(socket);
    });
    timer = setTimeout(tryNext, aloneMs);
  };

  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  else tryNext();
  return promise;
}
