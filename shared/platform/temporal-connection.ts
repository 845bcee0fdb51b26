import { readFile } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import type { TemporalConfig } from './config.ts';

/**
 * Returns the connection of a process without a worker. The connection opens at the first call, so Temporal
 * may start later than the process.
 */
export async function lazyConnection(temporal: TemporalConfig, address: string): Promise<Connection> {
  const tls = await tlsOf(temporal);
  return Connection.lazy({
    address,
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
