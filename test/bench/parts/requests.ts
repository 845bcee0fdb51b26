import { Agent, request } from 'undici';
import { processorMs } from './processes.ts';

/** A GET, or a POST if there is a body. */
export type Target = {
  url: string;
  body?: string;
  headers?: Record<string, string>;
  /** The allowed statuses of an answer. */
  statuses: readonly number[];
  /** The process id of the server that answers. */
  pid: number;
};

export type Rate = {
  perSecond: number;
  /** Microseconds of processor time of the answering process for each request. Noise changes this figure least. */
  processorMicros: number;
};

/** The load ends after so many seconds, or when so many requests are sent. */
type Load = { connections: number } & ({ seconds: number } | { count: number });

/** Opens so many connections. Each sends its next request when its last is answered. */
export async function requestsOf(
  { url, headers = {}, body, statuses, pid }: Target,
  { connections, ...until }: Load,
): Promise<Rate> {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const processorBefore = processorMs(pid);
  const startedMs = performance.now();
  let sent = 0;
  const isOver = () =>
    'count' in until ? sent >= until.count : performance.now() >= startedMs + until.seconds * 1_000;
  let answered = 0;
  const loop = async () => {
    while (!isOver()) {
      sent++;
      const answer = await request(url, {
        dispatcher,
        headers,
        ...(body !== undefined && { method: 'POST', body }),
      });
      await answer.body.dump({ limit: 1024 * 1024 });
      if (!statuses.includes(answer.statusCode)) throw new Error(`${url} answered ${answer.statusCode}`);
      answered++;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, loop));
    const perSecond = (answered / (performance.now() - startedMs)) * 1_000;
    return { perSecond, processorMicros: ((processorMs(pid) - processorBefore) / answered) * 1_000 };
  } finally {
    await dispatcher.destroy();
  }
}
