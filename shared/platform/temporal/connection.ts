import { readFile } from 'node:fs/promises';
import {
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import type { TemporalConfig } from '../config/config.ts';

const resourceExhausted = 8;
const { delayFunction, retryableDecider } = defaultGrpcRetryOptions();

/**
 * As the client of the SDK retries, except for what Temporal refuses because it has too much to do. Such a refusal is the answer: more
 * calls would add to the load, and the caller would hear of it only at its deadline.
 */
const retries = makeGrpcRetryInterceptor({
  delayFunction,
  retryableDecider: (attempt, status) =>
    status.code !== resourceExhausted && retryableDecider(attempt, status),
});

/** True if Temporal refused the call because it has too much to do. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  ((isGrpcServiceError(error) && error.code === resourceExhausted) || isRefusal(error.cause));

/**
 * Returns the connection of a process without a worker. The connection opens at the first call, so Temporal
 * may start later than the process.
 */
export async function lazyConnection(temporal: TemporalConfig, address: string): Promise<Connection> {
  const tls = await tlsOf(temporal);
  return Connection.lazy({
    address,
    interceptors: [retries],
    ...(tls && { tls }),
    ...(temporal.apiKey && { apiKey: temporal.apiKey }),
  });
}

/**
 * Reads the PEM files that TEMPORAL_TLS_* name. The client connection and the worker connection of the SDK
 * both accept the result.
 */
export async function tlsOf({ tls }: TemporalConfig) {
  if (tls === undefined) return undefined;
  const [ca, cert, key] = await Promise.all(
    [tls.ca, tls.cert, tls.key].map(async (path) => (path === undefined ? undefined : await readFile(path))),
  );
  return {
    ...(ca && { serverRootCACertificate: ca }),
    ...(cert && key && { clientCertPair: { crt: cert, key } }),
  };
}
