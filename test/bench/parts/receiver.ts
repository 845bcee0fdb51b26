import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { nowMs } from './load.ts';

/**
 * A partner's server in a process of its own. On request it sends the arrivals since the last request. The path `/hangs` never
 * answers, and `/fails` answers 500.
 */

export type Arrival = { id: string; path: string; atMs: number };

const [certFile = '', keyFile = ''] = process.argv.slice(2);
let arrivals: Arrival[] = [];

const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const server = createServer(tls, async (request, response) => {
  const atMs = nowMs();
  const { data } = (await json(request)) as { data: { verification_id: string } };
  const path = request.url ?? '';
  arrivals.push({ id: data.verification_id, path, atMs });
  if (path === '/hangs') return;
  response.writeHead(path === '/fails' ? 500 : 200).end('{"received":true}');
});
server.keepAliveTimeout = 60_000;

process.on('message', () => {
  process.send?.(arrivals);
  arrivals = [];
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
