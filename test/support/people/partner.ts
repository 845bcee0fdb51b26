import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Environment } from '#contract/enums.ts';
import { call } from '../harness.ts';
import { type Received, startReceiver } from './receiver.ts';

/** A harness, or an API and a function that creates keys. */
type Place = {
  url: string;
  key(options: { org: string; environment: Environment }): Promise<{ key: string; organisationId: string }>;
};

type Options = {
  org?: string;
  environment?: Environment;
  /** Added to the end of the receiver's url to form the url of the endpoint. */
  query?: string;
  /** Further fields of the endpoint. A url here replaces the receiver's. */
  endpoint?: object;
};

/** Creates an organisation with a key, and registers an endpoint at a receiver that answers by script. */
export async function startPartner(
  harness: Place,
  options: Options = {},
  ...replies: Parameters<typeof startReceiver>
) {
  const { org = `Partner ${randomUUID()}`, environment = 'sandbox', query = '' } = options;
  const { key, organisationId } = await harness.key({ org, environment });
  const receiver = await startReceiver(...replies);
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, idempotencyKey?: string) =>
    call(harness, method, `/v1${path}`, {
      key,
      body,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    });
  const { json: endpoint } = await ask('POST', '/webhooks', {
    url: receiver.url + query,
    ...options.endpoint,
  });
  const path = `/webhooks/${endpoint.id}`;
  return {
    org,
    organisationId,
    key,
    receiver,
    endpoint,
    path,
    ask,
    /** The newest page of the endpoint's deliveries. */
    deliveries: async (query = '') => (await ask('GET', `${path}/deliveries${query}`)).json.data,
  };
}
export type Partner = Awaited<ReturnType<typeof startPartner>>;

/** Reads again and again until the assertion holds. On a busy machine a delivery takes seconds. */
export const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 15_000 });

/** Returns the signatures in the header of a delivery, in order. */
export function signaturesOf({ headers }: Received): string[] {
  const header = headers['x-service-signature'] ?? '';
  return [...header.matchAll(/,v1=([0-9a-f]{64})/g)].map(([, hex = '']) => hex);
}

/** Computes the signature by section 6.3 of the specification, without any code of the product. */
export function signatureBy(secret: string, { headers, body }: Received): string {
  const [, timestamp = ''] = /^t=(\d+),/.exec(headers['x-service-signature'] ?? '') ?? [];
  return createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), body]))
    .digest('hex');
}
