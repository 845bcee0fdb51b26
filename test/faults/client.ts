import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** One verification that the client wants. It has one idempotency key and one body, and is sent again until it is answered. */
export type Item = { round: number; key: string; completes: boolean };

/** One answer as the client wrote it down, or status 0 if there was none. Only the client writes this log, and only appends. */
export type ClientLine = {
  at: number;
  ms: number;
  round: number;
  key: string;
  act: 'create' | 'complete' | 'replay';
  status: number;
  body: string;
};

const answerMsMax = 20_000;
const patienceMs = 180_000;
const betweenMs = 250;

export const itemsOf = (round: number, count: number): Item[] =>
  Array.from({ length: count }, (_, number) => ({
    round,
    key: `round-${round}-item-${number}`,
    completes: number % 2 === 1,
  }));

/** A partner's program, which uses nothing but the interface of the product. */
export function createClient(apiUrl: string, apiKey: string, logFile: string) {
  const agent = new Agent({ headersTimeout: answerMsMax, bodyTimeout: answerMsMax });

  const post = async (path: string, key: string | undefined, body: object) => {
    const { statusCode, body: answer } = await request(`${apiUrl}/v1${path}`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
    return { status: statusCode, body: await answer.text() };
  };

  const attempt = async (item: Item, act: ClientLine['act'], path: string, body: object) => {
    const at = Date.now();
    const key = act === 'complete' ? undefined : item.key;
    const answer = await post(path, key, body).catch(() => ({ status: 0, body: '' }));
    const line: ClientLine = {
      at,
      ms: Date.now() - at,
      round: item.round,
      key: item.key,
      act,
      ...answer,
    };
    appendFileSync(logFile, `${JSON.stringify(line)}\n`);
    return answer;
  };

  /** Repeats a request that gets no answer, or a status of 500 or above, for a limited time. */
  const insist = async (item: Item, act: ClientLine['act'], path: string, body: object) => {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(betweenMs)) {
      const answer = await attempt(item, act, path, body);
      if (answer.status !== 0 && answer.status < 500) return answer;
    }
    return undefined;
  };

  const create = (item: Item, act: 'create' | 'replay' = 'create') =>
    insist(item, act, '/verifications', {
      reference: item.key,
      sandbox: { auto_complete: !item.completes },
    });

  return {
    create,

    async carryOut(item: Item): Promise<void> {
      const created = await create(item);
      if (!item.completes || created?.status !== 201) return;
      const { id } = JSON.parse(created.body) as { id: string };
      await insist(item, 'complete', `/verifications/${id}/complete`, {});
    },

    /** Registers an endpoint and returns its id and its secret. */
    async registerEndpoint(url: string): Promise<{ id: string; secret: string }> {
      const { status, body } = await post('/webhooks', undefined, { url });
      if (status !== 201) throw new Error(`no endpoint: ${status} ${body}`);
      return JSON.parse(body) as { id: string; secret: string };
    },

    async deactivate(endpointId: string): Promise<void> {
      const { body } = await request(`${apiUrl}/v1/webhooks/${endpointId}`, {
        method: 'DELETE',
        dispatcher: agent,
        headers: { authorization: `Bearer ${apiKey}` },
      });
      await body.dump();
    },

    stop: () => agent.destroy(),
  };
}

export type FaultClient = ReturnType<typeof createClient>;
