import { AnswerReader, type Head } from './answer.ts';
import type { Attempt, Connection, Headers } from './connections.ts';
import { NoAnswer } from './no-answer.ts';

const excerptTimeoutMs = 1_000;

export type Request = { url: URL; headers: Headers; body: Buffer };

/**
 * The answer of a receiver. The status alone decides on success (decision 28), so the answer is complete before the excerpt has
 * arrived.
 */
export type Answer = Omit<Head, 'keptMs'> & { excerpt: Promise<Buffer> };

/** `keep` takes the connection back, for the time that the receiver keeps it. Undefined: the connection serves this request alone. */
type Keep = ((forMs: number) => void) | undefined;

/** Sends one request and reads its answer. Afterwards the connection is kept or destroyed. */
export function exchange(
  { socket }: Connection,
  request: Request,
  attempt: Attempt,
  keep: Keep,
): Promise<Answer> {
  const reader = new AnswerReader();
  const answer = Promise.withResolvers<Answer>();
  const excerpt = Promise.withResolvers<Buffer>();
  let patience: NodeJS.Timeout | undefined;

  const end = (error?: unknown) => {
    clearTimeout(patience);
    socket.off('data', read).off('end', lose).off('close', lose).off('error', end);
    attempt.signal.removeEventListener('abort', giveUp);
    const isClean = reader.body?.isClean === true && socket.writableLength === 0;
    const keptMs = isClean ? (reader.head?.keptMs ?? 0) : 0;
    if (keptMs > 0 && error === undefined && keep) keep(keptMs);
    else socket.destroy();
    answer.reject(error);
    excerpt.resolve(reader.body?.excerpt ?? Buffer.alloc(0));
  };
  const lose = () => end(new NoAnswer('connection_lost'));
  const giveUp = () => end(attempt.signal.reason);
  const read = (bytes: Buffer) => {
    const hadHead = reader.head !== undefined;
    try {
      reader.add(bytes);
    } catch (error) {
      return end(error);
    }
    if (reader.head === undefined) return;
    if (!hadHead) {
      attempt.phase = 'body';
      patience = setTimeout(lose, excerptTimeoutMs);
      const { keptMs: _, ...head } = reader.head;
      answer.resolve({ ...head, excerpt: excerpt.promise });
    }
    if (reader.body?.isOver) end();
  };

  attempt.phase = 'send';
  attempt.signal.addEventListener('abort', giveUp, { once: true });
  socket.on('data', read).on('end', lose).on('close', lose).on('error', end);
  if (attempt.signal.aborted) giveUp();
  else {
    attempt.sent = headersOf(request, keep !== undefined);
    socket.write(bytesOf(request, attempt.sent));
    attempt.phase = 'headers';
  }
  return answer.promise;
}

const headersOf = ({ url, headers, body }: Request, isKept: boolean): Headers => ({
  host: hostHeader(url),
  connection: isKept ? 'keep-alive' : 'close',
  ...headers,
  'content-length': String(body.length),
});

/** One piece, so that a receiver never has a part of a request because we were slow. */
function bytesOf({ url, body }: Request, headers: Headers): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${requestLine(url)}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

export const requestLine = ({ pathname, search }: URL): string => `POST ${pathname}${search} HTTP/1.1`;

/** Without the final dot of an absolute name, like the name that the certificate must have. */
export const hostHeader = ({ host }: URL): string => host.replace(/\.(?=$|:\d+$)/, '');
