import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, inject } from 'vitest';
import { ErrorBody } from '#contract/error-body.ts';
import { errors } from '#contract/errors.ts';
import type { Harness } from '#test/support/harness.ts';
import { runProgram } from '#test/support/program.ts';
import { freePort } from '#test/support/servers/free-port.ts';

/** Starts `node api/main.ts` on the harness's database. After each test it must still run and have logged no fault. */
export async function startApiProgram({ databaseUrl }: Harness, env: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const program = runProgram('api/main.ts', {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: String(port),
    ...env,
  });
  let running = true;
  void program.exited.then(() => {
    running = false;
  });
  afterAll(async () => {
    program.signal('SIGTERM');
    await program.exited;
  });
  await program.says('API listens');
  /** Lines of level `error` or above, which are faults of ours. */
  const faults = () =>
    program
      .output()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
  afterEach(() => {
    expect(running, 'the API still runs').toBe(true);
    expect(faults()).toEqual([]);
  });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    pid: program.pid,
    /** The resident memory of the process. Undefined without /proc. */
    residentBytes: () => residentBytesOf(program.pid),
  };
}
export type ApiProgram = Awaited<ReturnType<typeof startApiProgram>>;

function residentBytesOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

/** Opens a connection on which the test writes every byte itself. */
export function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  let ended = false;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('end', () => {
    ended = true;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').catch(() => undefined);
  return {
    socket,
    connected: once(socket, 'connect'),
    closed,
    received: () => received,
    /** True after the server has closed its side. */
    hasEnded: () => ended,
    /** Each character is one byte. */
    send: (text: string) => void socket.write(Buffer.from(text, 'latin1')),
  };
}

const endWithinMs = 20_000;

export type RawAnswer = { status: number; headers: Map<string, string>; body: string; json: unknown };

/** Sends these bytes in these parts, waits until the server ends the connection, and returns the answers. */
export async function exchange(port: number, ...parts: string[]): Promise<RawAnswer[]> {
  const connection = openConnection(port);
  await connection.connected;
  for (const part of parts) {
    connection.send(part);
    if (parts.length > 1) await pause(30);
  }
  for (const until = Date.now() + endWithinMs; !connection.hasEnded(); await pause(5))
    if (Date.now() > until) throw new Error(`the connection does not end; so far: ${connection.received()}`);
  connection.socket.destroy();
  return answersIn(connection.received());
}

/** Like `exchange`, but the connection must stay open: one more request on it must get its own answer, after the returned ones. */
export async function exchangeAndGoOn(port: number, ...parts: string[]): Promise<RawAnswer[]> {
  const last = head({ target: '/v1/health', headers: ['Connection: close'] });
  const answers = await exchange(port, ...parts.slice(0, -1), (parts.at(-1) ?? '') + last);
  expect(answers.pop()?.json).toMatchObject({ status: 'ok' });
  return answers;
}

/** Splits bytes into answers by their lengths. A byte outside any answer is an error. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const [start = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(start) ?? [];
    if (headEnd < 0 || status === undefined) throw new Error(`no answer begins with ${rest.slice(0, 80)}`);
    const headers = new Map(
      lines.map((line) => [
        line.split(':', 1)[0]?.toLowerCase() ?? '',
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    if (headers.size !== lines.length) throw new Error('a header stands twice in one answer');
    const { body, length } = bodyAt(rest.slice(headEnd + 4), headers, Number(status));
    rest = rest.slice(headEnd + 4 + length);
    const json = headers.get('content-type')?.startsWith('application/json') ? JSON.parse(body) : undefined;
    if (status !== '100') answers.push({ status: Number(status), headers, body, json });
  }
  return answers;
}

function bodyAt(rest: string, headers: Map<string, string>, status: number) {
  if (headers.has('transfer-encoding')) throw new Error('an answer is chunked: its length is not known');
  const length = [100, 204].includes(status) ? 0 : Number(headers.get('content-length'));
  if (!(rest.length >= length)) throw new Error('an answer is cut short, or has no length');
  return { body: rest.slice(0, length), length };
}

/** A refusal is JSON with a code of the catalogue, the status of that code, a request id and the rate limit. Returns the code. */
export function expectDocumentedRefusal(answer: RawAnswer | undefined, ...statuses: number[]): string {
  if (answer === undefined) throw new Error('there is no answer');
  const { error } = ErrorBody.parse(answer.json);
  expect(statuses).toContain(answer.status);
  expect(errors[error.code]).toMatchObject({ status: answer.status, type: error.type });
  expect(answer.headers.get('x-request-id')).toBe(error.request_id);
  expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
  expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  return error.code;
}

/** A smuggled request in these tests would create a webhook endpoint, so the number must not change. */
export async function countWebhooks(harness: Harness): Promise<number> {
  const rows = await harness.rows<{ count: number }>`select count(*)::int from webhook_endpoints`;
  return rows[0]?.count ?? 0;
}

export const webhookBody = JSON.stringify({ url: 'https://hooks.partner.example/in' });

type Head = {
  method?: string;
  target?: string;
  version?: string;
  host?: string;
  key?: string;
  headers?: string[];
};

/** Returns the head of a request. The only headers are Host, Authorization if there is a key, and those in `headers`. */
export function head({
  method = 'GET',
  target = '/v1/webhooks',
  version = 'HTTP/1.1',
  host = 'Host: api.partner.example',
  key,
  headers = [],
}: Head = {}): string {
  const lines = [
    `${method} ${target} ${version}`,
    ...(host === '' ? [] : [host]),
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A complete request that creates a webhook endpoint. */
export const makesWebhook = (key: string): string =>
  head({
    method: 'POST',
    key,
    headers: ['Content-Type: application/json', `Content-Length: ${webhookBody.length}`],
  }) + webhookBody;
