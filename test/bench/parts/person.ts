import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { consented } from '#test/support/people/consented.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { formOfSend } from '#test/support/people/read-advice.ts';
import type { Product } from './product.ts';
import { stops } from './programs.ts';

const stepsMax = 12;
const askEveryMs = 500;
const simpleForm = 'application/x-www-form-urlencoded';
const headers = { 'accept-language': 'en' };

export type Photo = Awaited<ReturnType<typeof pictureForm>>;
export type HostedPerson = ReturnType<ReturnType<typeof hostedPersons>>;

/** End users who use the hosted pages, without scripts. */
export function hostedPersons(apiUrl: string) {
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  stops.push(() => agent.destroy());

  return (verifyUrl: string) => {
    const link = `${apiUrl}${new URL(verifyUrl).pathname}`;
    const look = async (): Promise<string> => {
      const answer = await request(link, { dispatcher: agent, headers });
      return answer.body.text();
    };
    /** Sends a form. Returns where the answer leads, and how long it took. */
    const post = async (action: string, { body, type }: Photo) => {
      const sentMs = performance.now();
      const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body } as const;
      const answer = await request(`${link}/${action}`, { ...sent, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 303)
        throw new Error(`the hosted page answered ${answer.statusCode} to ${action}`);
      return { tookMs: performance.now() - sentMs, location: String(answer.headers.location) };
    };

    const start = () => post('start?lang=en', { body: consented, type: simpleForm });
    const hand = (kind: string, photo: Photo) => post(`picture?lang=en&kind=${kind}&source=upload`, photo);
    const goWithoutMovements = () =>
      post('no-movements?lang=en', { body: Buffer.alloc(0), type: simpleForm });
    const send = async (page?: string) =>
      post('submit?lang=en', { body: formOfSend(page ?? (await look())), type: simpleForm });

    /** Does what a page asks for. Returns undefined if it asks for nothing. */
    const follow = async (page: string) => {
      const asks = (action: string) => page.includes(`/${action}?`);
      if (asks('start')) return start();
      if (asks('submit')) return send(page);
      if (asks('no-movements')) return goWithoutMovements();
      const kind = /\/picture\?[^"]*kind=(\w+)/.exec(page)?.[1] ?? /take=(passport_page)/.exec(page)?.[1];
      return kind === undefined ? undefined : hand(kind, await somePhoto());
    };

    return {
      ...{ start, hand, goWithoutMovements, send },

      /** Looks, does what the page asks for, and looks again. Returns when everything was sent. Throws if the page refuses a step. */
      async walk(): Promise<void> {
        for (let step = 0; step < stepsMax; step++, await pause(askEveryMs))
          if ((await follow(await look())) === undefined) return;
        throw new Error('the hosted page came to no end');
      },

      /** Asks for the page until the verdict is there. Returns what the page said about the wait, as it changed. */
      async waitForVerdict(): Promise<string[]> {
        const told: string[] = [];
        for (;;) {
          const page = await look();
          if (page.includes('<h1>Done</h1>')) return told;
          const said = />([^<]*(?:usually takes|can take)[^<]*)</.exec(page)?.[1];
          if (said !== undefined && said !== told.at(-1)) told.push(said);
          await pause(askEveryMs);
        }
      },
    };
  };
}

let photo: Promise<Photo> | undefined;
/** A photo of nothing, which is made once. */
const somePhoto = (): Promise<Photo> =>
  (photo ??= anyPicture().then((picture) => pictureForm(picture, 'photo.jpg')));

/** Waits until every original is masked or deleted. Nobody waits for that but reviewers. Returns the time in milliseconds. */
export async function allMasked({ store }: Pick<Product, 'store'>): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const left = await store.db
      .selectFrom('evidence')
      .select('kind')
      .where('kind', 'in', ['passport_page', 'card_front', 'card_back'])
      .limit(1)
      .execute();
    if (left.length === 0) return performance.now() - startedMs;
    await pause(askEveryMs);
  }
}
