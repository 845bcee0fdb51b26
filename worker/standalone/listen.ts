import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { verifyWebhook, WebhookError } from '#docs/guide/verify-webhook.mjs';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { issueServerCertificate } from './certificates.ts';
import { readRunFile, removeListenerFile, writeListenerFile } from './run-file.ts';

const host = '127.0.0.1';
const defaultPort = 8443;
const bodySizeBytesMax = 1024 * 1024;
const usage = 'Usage: npm run listen -- [--port 8443] [--secret whsec_…] [--respond 200]';

type Options = { port: number | undefined; secret: string | undefined; respond: number };

async function listen(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const dataDir = process.env.DATA_DIR || '.data';
  const running = readRunFile(dataDir);
  if (running === undefined)
    throw new StartFault(`Nothing runs on the data directory ${dataDir}. Start it first: npm start`);

  const certificate = await issueServerCertificate(dataDir, ['localhost', '127.0.0.1', '::1']);
  const server = createServer(certificate);
  const port = await openPort(server, options.port);
  writeListenerFile(dataDir, { pid: process.pid, host, port });
  introduce(port, running.public_url, options);

  readSecrets(options);
  server.on('request', (request, response) => receive(request, response, options));
  server.on('tlsClientError', ({ message }) => console.log(`A connection did not get past TLS: ${message}`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      removeListenerFile(dataDir, port);
      process.exit(0);
    });
}

function readOptions(args: string[]): Options {
  const { port, secret, respond } = parsed(args);
  if (secret !== undefined && !isSecret(secret))
    throw misused('--secret must be the whole secret, which starts with whsec_.');
  return {
    port: port === undefined ? undefined : wholeNumber('--port', port, 1, 65_535),
    secret,
    respond: respond === undefined ? 200 : wholeNumber('--respond', respond, 200, 599),
  };
}

function parsed(args: string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { port: option, secret: option, respond: option } }).values;
  } catch (error) {
    throw misused((error as Error).message.split('. ')[0] ?? '');
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw misused(`${name} must be a number from ${min} to ${max}.`);
  return value;
}

const misused = (what: string) => new StartFault(`${what} ${usage}`, exitCodes.usage);

const isSecret = (text: string) => /^whsec_\S+$/.test(text);

async function openPort(server: Server, asked: number | undefined): Promise<number> {
  try {
    return await listenOn(server, asked ?? defaultPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (asked !== undefined)
      throw new StartFault(`Port ${asked} cannot be listened on (${code}): choose another with --port.`);
    const port = await listenOn(server, 0);
    console.log(`Port ${defaultPort} is not free (${code}), so this listens on ${port}`);
    return port;
  }
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function introduce(port: number, publicUrl: string, { secret, respond }: Options): void {
  const url = `https://localhost:${port}/`;
  console.log(`Listening on ${url} (answers ${respond}; Ctrl-C ends it)

Register it as a webhook endpoint, with your key in place of KEY:

  curl -s ${publicUrl}/v1/webhooks -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '{"url":"${url}"}'
`);
  if (secret === undefined)
    console.log(
      'To have signatures checked, paste the `secret` of the answer here, or start again with --secret whsec_…\n',
    );
}

function readSecrets(options: Options): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const text = line.trim().replaceAll(/^"|",?$/g, '');
    if (text === '') return;
    if (isSecret(text)) options.secret = text;
    console.log(
      isSecret(text) ? 'Signatures are checked with this secret from now on' : 'A secret starts with whsec_',
    );
  });
}

async function receive(request: IncomingMessage, response: ServerResponse, options: Options): Promise<void> {
  if (request.method !== 'POST') return answer(response, 405, { error: 'only POST' });
  const body = await bodyOf(request);
  if (body === undefined) return answer(response, 413, { error: 'more than 1 MiB' });
  console.log(await blockOf(request, body, options));
  answer(response, options.respond, { received: options.respond < 300 });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of request) {
      sizeBytes += chunk.length;
      if (sizeBytes > bodySizeBytesMax) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

async function blockOf(
  request: IncomingMessage,
  body: Buffer,
  { secret, respond }: Options,
): Promise<string> {
  return [
    `── ${new Date().toISOString()} ${'─'.repeat(50)}`,
    `X-Service-Event:    ${shown(request, 'x-service-event')}`,
    `X-Service-Delivery: ${shown(request, 'x-service-delivery')}`,
    await verdictOn(request, body, secret),
    pretty(body),
    `answered ${respond}\n`,
  ].join('\n');
}

/** Verifies the signature with the file that partners copy into their code. */
async function verdictOn(
  { headers }: IncomingMessage,
  body: Buffer,
  secret: string | undefined,
): Promise<string> {
  try {
    await verifyWebhook(body, headers, secret ?? []);
    return 'signature valid';
  } catch (error) {
    const cause = error instanceof WebhookError ? error.code : 'not_json';
    if (secret === undefined && cause === 'no_match') return 'signature not checked: no secret given yet';
    return `signature NOT valid: ${reasons[cause]}`;
  }
}

const reasons = {
  missing_header: 'there is no X-Service-Signature header',
  malformed_header: 'X-Service-Signature is not t=<unix>,v1=<hex>',
  no_match: 'it does not match the secret given here',
  too_old: 'its timestamp is older than five minutes',
  too_new: 'its timestamp is more than five minutes in the future',
  body_reencoded: 'the body was parsed and written again on its way',
  not_json: 'it matches, but the body is not JSON',
};

const shown = (request: IncomingMessage, name: string) =>
  printable(String(request.headers[name] ?? '(missing)'));

/** Replaces control characters. A terminal would execute them, and any local process can send them here. */
const printable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?');

function pretty(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString()), null, 2).replaceAll(/[\x7f-\x9f]/g, '?');
  } catch {
    return `not JSON: ${printable(body.toString().slice(0, 2000))}`;
  }
}

await listen().catch(exitWith);
