import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Environment, type Outcome, outcomes } from '#contract/enums.ts';
import { consented } from '#test/support/people/consented.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { formOfSend } from '#test/support/people/read-advice.ts';
import type { Item } from './items.ts';

export const acts = [
  'create',
  'replay',
  'complete',
  'command',
  'start',
  'picture',
  'no-movements',
  'submit',
  'thanked',
] as const;
export type Act = (typeof acts)[number];

/** One answer as the client wrote it down, or status 0 if there was none. Only the client writes this log, and only appends. */
export type ClientLine = {
  at: number;
  ms: number;
  key: string;
  act: Act;
  status: number;
  body: string;
  /** The outcome that a `command` asked for. */
  asked?: Outcome;
};

export type Answer = Pick<ClientLine, 'status' | 'body'>;

const answerMsMax = 20_000;
const betweenMs = 250;
const commandsAtOnce = 20;

type Sent = {
  act: Act;
  method?: 'GET' | 'POST';
  path: string;
  body?: Buffer | string;
  type?: string;
  asked?: Outcome;
};

/** A partner's program and its end users, who use nothing but the interface of the product. */
export function createClient(
  apiUrl: string,
  keys: Partial<Record<Environment, string>>,
  logFile: string,
  patienceMs = 180_000,
) {
  const picture = anyPicture();
  const agent = new Agent({ headersTimeout: answerMsMax, bodyTimeout: answerMsMax });

  const send = async (
    path: string,
    headers: Record<string, string>,
    body?: Buffer | string,
    method: 'GET' | 'POST' = 'POST',
  ) => {
    const answer = await request(apiUrl + path, {
      method,
      dispatcher: agent,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  const asPartner = (environment: Environment) => ({
    authorization: `Bearer ${keys[environment]}`,
    'content-type': 'application/json',
  });
  const asPerson = (type = 'application/x-www-form-urlencoded') => ({
    'accept-language': 'en',
    'content-type': type,
  });

  /** Sends once, and writes down what came back. */
  const attempt = async (item: Item, { act, method, path, body, type, asked }: Sent): Promise<Answer> => {
    const at = Date.now();
    const isPage = path.startsWith('/verify/');
    const headers = isPage
      ? asPerson(type)
      : { ...asPartner(item.environment), ...(isCreate(act) && { 'idempotency-key': item.key }) };
    const answer = await send(path, headers, body, method).catch(() => ({ status: 0, body: '' }));
    // A page is long, and its status says enough.
    const kept = isPage ? { ...answer, body: '' } : answer;
    const line: ClientLine = {
      at,
      ms: Date.now() - at,
      key: item.key,
      act,
      ...kept,
      ...(asked && { asked }),
    };
    appendFileSync(logFile, `${JSON.stringify(line)}\n`);
    return answer;
  };

  /** Repeats a request that gets no answer, or a status of 429 or of 500 and above, for a limited time. */
  const insist = async (item: Item, sent: Sent): Promise<Answer | undefined> => {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(betweenMs)) {
      const answer = await attempt(item, sent);
      if (answer.status !== 0 && answer.status !== 429 && answer.status < 500) return answer;
    }
    return undefined;
  };

  const creation = (item: Item, act: 'create' | 'replay'): Sent => ({
    act,
    path: '/v1/verifications',
    body: JSON.stringify({
      reference: item.key,
      ...(item.environment === 'sandbox' && {
        sandbox: { scenario: item.scenario, auto_complete: item.ending === 'at birth' },
      }),
    }),
  });
  const create = (item: Item, act: 'create' | 'replay' = 'create') => insist(item, creation(item, act));
  const completion = (id: string, asked?: Outcome): Sent => ({
    act: asked === undefined ? 'complete' : 'command',
    path: `/v1/verifications/${id}/complete`,
    body: JSON.stringify(asked === undefined ? {} : { scenario: asked }),
    ...(asked && { asked }),
  });

  /** Twenty commands at once: fourteen completions with different outcomes, three presses on Start, three repeated creations. */
  const commandAtOnce = async (item: Item, id: string, link: string) => {
    const commands = Array.from({ length: commandsAtOnce }, (_, number): Sent => {
      if (number % 7 === 0) return creation(item, 'replay');
      if (number % 7 === 3) return pressed(link, 'start', consented);
      return completion(id, outcomes[number % outcomes.length]);
    });
    await Promise.all(commands.map((command) => attempt(item, command)));
    await insist(item, completion(id, item.scenario));
  };

  /** A person on the hosted page, who looks, does what the page asks for, and looks again. Whoever gets no answer reloads. Whoever
   * is told that the link is unknown gives up. */
  const walk = async (item: Item, link: string) => {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(betweenMs)) {
      const page = await send(link, asPerson(), undefined, 'GET').catch(() => ({ status: 0, body: '' }));
      if (page.status === 404) return;
      if (page.status !== 200) continue;
      const next = await askedBy(page.body, link);
      const { status } = await attempt(item, next);
      if (next.act === 'thanked' && status === 200) return;
    }
  };

  /** What a page asks for. The act `thanked` only looks again: everything was sent. */
  const askedBy = async (page: string, link: string): Promise<Sent> => {
    const form = (action: string) => page.includes(`/${action}?`);
    if (form('start')) return pressed(link, 'start', consented);
    if (form('submit')) return pressed(link, 'submit', formOfSend(page));
    if (form('no-movements')) return pressed(link, 'no-movements', '');
    const kind = /\/picture\?[^"]*kind=(\w+)/.exec(page)?.[1] ?? /take=(passport_page)/.exec(page)?.[1];
    if (kind === undefined) return { act: 'thanked', method: 'GET', path: link };
    const { body, type } = await pictureForm(await picture, `${kind}.jpg`);
    return { ...pressed(link, 'picture', body, `&kind=${kind}`), type };
  };

  return {
    create,

    /** Creates the verification and brings it to its end. Between the two passes a share of `ms`. */
    async carryOut(item: Item, ms = 0): Promise<void> {
      const created = await create(item);
      if (created?.status !== 201) return;
      const { id, verify_url } = JSON.parse(created.body) as { id: string; verify_url: string };
      const link = new URL(verify_url).pathname;
      await pause(item.thinks * ms);
      if (item.ending === 'by a call') await insist(item, completion(id));
      if (item.ending === 'by a person') await walk(item, link);
      if (item.ending === 'by many at once') await commandAtOnce(item, id, link);
    },

    /** Registers an endpoint and returns its id and its secret. */
    async registerEndpoint(url: string): Promise<{ id: string; secret: string }> {
      const { status, body } = await send('/v1/webhooks', asPartner('sandbox'), JSON.stringify({ url }));
      if (status !== 201) throw new Error(`no endpoint: ${status} ${body}`);
      return JSON.parse(body) as { id: string; secret: string };
    },

    async deactivate(endpointId: string): Promise<void> {
      const { body } = await request(`${apiUrl}/v1/webhooks/${endpointId}`, {
        method: 'DELETE',
        dispatcher: agent,
        headers: { authorization: `Bearer ${keys.sandbox}` },
      });
      await body.dump();
    },

    stop: () => agent.destroy(),
  };
}

export const isCreate = (act: Act): boolean => act === 'create' || act === 'replay';

const pressed = (
  link: string,
  act: 'start' | 'picture' | 'no-movements' | 'submit',
  body: Buffer | string,
  rest = '',
): Sent => ({
  act,
  path: `${link}/${act}?lang=en${rest}`,
  body,
});

export type FaultClient = ReturnType<typeof createClient>;
