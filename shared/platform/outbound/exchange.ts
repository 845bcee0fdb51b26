import { AnswerReader } from './answer.ts';
import type { Attempt, Connection } from './connections.ts';
import { NoAnswer } from './no-answer.ts';

const excerptTimeoutMs = 1_000;

export type Request = { url: URL; headers: Record<string, string>; body: Buffer };

/**
 * The answer of a receiver. The status alone decides on success (decision 28), so the answer is complete before the excerpt has
 * arrived.
 */
export type Answer = { status: number; retryAfterMs: number | null; excerpt: Promise<Buffer> };

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
      const { status, retryAfterMs } = reader.head;
      answer.resolve({ status, retryAfterMs, excerpt: excerpt.promise });
    }
    if (reader.body?.isOver) end();
  };

  attempt.phase = 'send';
  attempt.signal.addEventListener('abort', giveUp, { once: true });
  socket.on('data', read).on('end', lose).on('close', lose).on('error', end);
  if (attempt.signal.aborted) giveUp();
  else {
    socket.write(bytesOf(request, keep !== undefined));
    attempt.phase = 'headers';
  }
  return answer.promise;
}

/** One piece, so that a receiver never has a part of a request because we were slow. */
function bytesOf({ url, headers, body }: Request, isKept: boolean): Buffer {
  const lines = Object.entries({
    host: hostHeader(url),
    connection: isKept ? 'keep-alive' : 'close',
    ...headers,
    'content-length': String(body.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** Without the final dot of an absolute name, like the name that the certificate must have. */
const hostHeader = ({ host }: URL): string => host.replace(/\.(?=$|:\d+$)/, '');
