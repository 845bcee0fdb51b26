import { randomUUID } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '#docs/guide/verify-webhook.mjs';
import { issueServerCertificate } from '#worker/standalone/certificates.ts';

/** The parts of an answer that are read here. */
type Answer = {
  id: string;
  status: string;
  secret: string;
  error?: { code: string };
  [field: string]: unknown;
};

export type Partner = Awaited<ReturnType<typeof startPartner>>;

/**
 * A partner on the machine of the containers: calls the API, and receives events at an address of the containers' network. It
 * verifies each signature with the file that partners copy.
 */
export async function startPartner(
  folder: string,
  address: string,
  key: string,
  apis: () => Promise<string[]>,
) {
  const arrived = new Map<string, Set<string>>();
  const refused: string[] = [];
  let secret = '';
  const certificate = await issueServerCertificate(folder, [address]);
  const server = createServer(certificate, async (request, response) => {
    const body = await buffer(request);
    const headers = request.headers;
    try {
      const event = await verifyWebhook(body, headers, secret);
      const id = event.data.verification_id;
      const deliveries = arrived.get(id) ?? new Set();
      arrived.set(id, deliveries.add(String(headers['x-service-delivery'])));
      response.writeHead(200).end();
    } catch (error) {
      refused.push(String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));

  /** Sends a request to each API in turn. */
  let turn = 0;
  let known = await apis();
  async function call(
    method: string,
    path: string,
    body?: object,
    idempotencyKey: string = randomUUID(),
    ownKey = key,
  ) {
    const response = await fetch(`${known[turn++ % known.length]}/v1${path}`, {
      method,
      signal: AbortSignal.timeout(15_000),
      headers: {
        authorization: `Bearer ${ownKey}`,
        ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Answer };
  }

  const isDone = (status: number, { error }: Answer, isAnswerLost: boolean): boolean =>
    status < 300 || (isAnswerLost && error?.code === 'already_completed');

  /**
   * Repeats a request with the same key until it is acknowledged, as partners do. Who repeats a completion whose answer was lost is told
   * that the verification is completed.
   */
  async function insist(method: string, path: string, body?: object, ownKey = key): Promise<Answer> {
    const idempotencyKey = randomUUID();
    let last: unknown;
    let isAnswerLost = false;
    for (const until = Date.now() + 300_000; Date.now() < until; await pause(300)) {
      try {
        const { status, json } = await call(method, path, body, idempotencyKey, ownKey);
        if (isDone(status, json, isAnswerLost)) return json;
        last = JSON.stringify(json);
        isAnswerLost ||= status >= 500;
        if (status < 500 && status !== 409 && status !== 429) break;
      } catch (error) {
        last = error;
        isAnswerLost = true;
      }
    }
    throw new Error(`${method} ${path} was not acknowledged: ${last}`);
  }

  return {
    call,
    insist,
    refused,
    /** Asks again where the APIs are. */
    async lookAgain(): Promise<void> {
      known = await apis();
    },
    async register(): Promise<void> {
      const url = `https://${address}:${(server.address() as AddressInfo).port}/hooks`;
      ({ secret } = await insist('POST', '/webhooks', { url }));
    },
    create: (held = false) =>
      insist('POST', '/verifications', held ? { sandbox: { auto_complete: false } } : {}),
    complete: (id: string) => insist('POST', `/verifications/${id}/complete`),
    /** Waits for the event of each verification. Returns how many verifications there were. */
    async hears(ids: readonly string[], timeoutMs = 300_000): Promise<number> {
      const missing = () => ids.filter((id) => !arrived.has(id));
      for (const until = Date.now() + timeoutMs; missing().length > 0; await pause(100))
        if (Date.now() > until)
          throw new Error(`no event of ${missing().join(', ')} (refused: ${refused.join()})`);
      const twice = ids.filter((id) => arrived.get(id)?.size !== 1);
      if (twice.length > 0) throw new Error(`more than one event of ${twice.join(', ')}`);
      return ids.length;
    },
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
