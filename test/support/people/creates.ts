import { expect } from 'vitest';
import { call } from '../harness.ts';

/** The documentation promises this time for a pause. It covers what each process keeps of a key. */
const worksAfterMs = 5_000;

type Asked = { key: string; body?: object };

/** The code of the refusal of a create, or `accepted`. */
async function answerTo(url: string, { key, body = {} }: Asked): Promise<string> {
  const { status, json } = await call({ url }, 'POST', '/v1/verifications', { key, body });
  return status === 201 ? 'accepted' : json.error.code;
}

/** Waits until every process answers creates so. All of them are asked at the same time, and have the same five seconds from now. */
export const createsBecome = (
  processes: readonly { url: string }[],
  asked: Asked,
  answer: 'accepted' | 'organisation_paused',
) =>
  Promise.all(
    processes.map(({ url }) =>
      expect.poll(() => answerTo(url, asked), { timeout: worksAfterMs, message: url }).toBe(answer),
    ),
  );
