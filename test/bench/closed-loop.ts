import { Agent, request } from 'undici';

export type Target = { url: string; headers?: Record<string, string>; status: number };

/** Requests a second over so many connections, each sending its next request when the last is answered. */
export async function requestsPerSecond(
  { url, headers = {}, status }: Target,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1_000;
  let answered = 0;
  const loop = async () => {
    while (performance.now() < untilMs) {
      const answer = await request(url, { dispatcher, headers });
      await answer.body.dump({ limit: 1024 * 1024 });
      if (answer.statusCode !== status)
        throw new Error(`${url} answered ${answer.statusCode}, not ${status}`);
      answered++;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, loop));
    return (answered / (performance.now() - startedMs)) * 1_000;
  } finally {
    await dispatcher.destroy();
  }
}
