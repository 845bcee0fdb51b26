import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IdinContract } from '#activities/eid/idin/contract.ts';
import { answerBytesMax } from '#activities/eid/idin/names.ts';
import { answerTo, type Write } from './answers.ts';
import { type AnswerKind, type Fault, faultOf, faultRow } from './faults.ts';
import type { SimulatorKeys } from './keys.ts';
import type { Memory } from './memory.ts';
import { contractAt } from './merchant.ts';
import { messagesIn, type Style } from './messages.ts';
import { bankPage, homePage, unknownPage } from './pages.ts';
import { personaOf } from './personas.ts';
import { type Request, RequestFault, readRequest } from './requests.ts';
import { createSetting, type FaultSetting, type Setting } from './setting.ts';
import { statusAnswer } from './status-answer.ts';
import { choices, createTransactions, type SimulatedTransaction, type Transactions } from './transactions.ts';

export type SimulatorOptions = {
  keys: SimulatorKeys;
  style: Style;
  /** The fault of its answers, until somebody chooses another on its first page, or on the page of a bank for one transaction. */
  fault: Fault | null;
  /** The only kind of answers that has the fault. Null: each that can have it. */
  on?: AnswerKind | null;
  /** 0 takes a free one. */
  port: number;
  /** Where transactions are kept, so that they outlive the process. Undefined: nowhere. */
  memory?: Memory<readonly SimulatedTransaction[]> | undefined;
  /** Where the fault is kept that somebody chose. Undefined: nowhere. */
  settings?: Memory<Setting> | undefined;
  now?: () => Date;
};

export type Simulator = { url: string; contract: IdinContract; close(): Promise<void> };

const host = '127.0.0.1';

/** Starts an acquirer and its banks on loopback. A real bank needs a login; this one confirms whoever asks. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  server.on('request', handler(options, url));
  return { url, contract: contractAt(url, options.keys), close: () => closed(server) };
}

type Parts = Omit<SimulatorOptions, 'port'>;
type Kept = { transactions: Transactions; setting: FaultSetting; url: string };

/** Answers the signed questions of a merchant. */
function createAcquirer(
  { keys, style, now = () => new Date() }: Parts,
  { transactions, setting, url }: Kept,
) {
  const given = () => ({ style, keys, now: now() });

  const answerOf = async (request: Request): Promise<[answer: string, fault: Fault | null]> => {
    const fault = setting.for(request.kind);
    if (request.kind === 'directory')
      return [await answerTo('directory', fault, given(), (to, at) => to.directory(at.now)), fault];
    if (request.kind === 'transaction') {
      const { expiresInMs, kind: _, ...begun } = request;
      const { id } = transactions.open({ ...begun, expiresAt: now().getTime() + expiresInMs });
      const page = faultRow(fault).page ?? `${url}/bank/${id}`;
      const write: Write = (to, at) => to.transaction(id, page, at.now);
      return [await answerTo('transaction', fault, given(), write), fault];
    }
    const found = transactions.find(request.transactionId);
    if (found === undefined) throw new RequestFault('AP2600', 'The transaction is not known');
    const status = transactions.ask(found, now().getTime());
    const ofIt = found.decidedAt === null ? fault : found.fault;
    return [await statusAnswer({ ...found, fault: ofIt }, status, given()), ofIt];
  };

  return async (bytes: Buffer, response: ServerResponse): Promise<void> => {
    try {
      const [answer, withFault] = await answerOf(readRequest(bytes, keys.merchant.certificate, now()));
      await send(response, answer, withFault);
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      const messages = messagesIn(style, keys);
      await send(response, messages.sign(messages.error(error.code, error.message, now())), null);
    }
  };
}

/** Answers the requests of a simulator that is reached at this address. */
export function handler(parts: Parts, url: string) {
  const { fault: first, on = null, memory, settings, now = () => new Date() } = parts;
  const transactions = createTransactions(memory);
  const setting = createSetting({ fault: first, on }, settings);
  const acquirer = createAcquirer(parts, { transactions, setting, url });

  const bank = (transaction: SimulatedTransaction, form: URLSearchParams, response: ServerResponse): void => {
    const choice = choices.find((each) => each === form.get('choice'));
    if (choice === undefined) {
      html(response, bankPage(transaction, setting.for('status')));
      return;
    }
    const fault = form.has('fault') ? faultOf(form.get('fault')) : setting.for('status');
    const persona = personaOf(form.get('persona'));
    transactions.decide(transaction, { choice, persona, fault, at: now().getTime() });
    const back = new URL(transaction.returnUrl);
    back.searchParams.set('trxid', transaction.id);
    back.searchParams.set('ec', transaction.entranceCode);
    response.writeHead(303, { location: back.href }).end();
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', url);
    const bytes = await contentOf(request);
    if (request.method === 'POST' && ['/directory', '/transaction', '/status'].includes(pathname))
      return acquirer(bytes, response);
    const form = new URLSearchParams(request.method === 'POST' ? String(bytes) : '');
    if (pathname === '/') {
      if (form.has('fault')) setting.change(form);
      return html(response, homePage(setting.read()));
    }
    const transaction = transactions.find(/^\/bank\/(\d{16})$/.exec(pathname)?.[1] ?? '');
    if (transaction === undefined) return html(response, unknownPage(), 404);
    bank(transaction, form, response);
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}

const largeBytes = 50_000_000;

/** Sends an answer as XML, or does to it what a fault on the wire does. */
async function send(response: ServerResponse, answer: string, fault: Fault | null): Promise<void> {
  const { wire } = faultRow(fault);
  // The client gives up first, and closes the connection.
  if (wire === 'slow') return;
  if (wire === 'http_500') return void response.writeHead(500).end();
  response.writeHead(200, { 'content-type': 'text/xml; charset="utf-8"' });
  if (wire === 'truncated') return void response.end(answer.slice(0, answer.length / 2));
  if (wire === 'large') response.write(' '.repeat(largeBytes));
  response.end(answer);
}

const html = (response: ServerResponse, content: string, status = 200): void => {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(content);
};

async function contentOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error('The request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function closed(server: Server): Promise<void> {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await done;
}
