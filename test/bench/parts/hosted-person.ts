import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { consented } from '#test/support/people/consented.ts';
import type { pictureForm } from '#test/support/people/picture.ts';
import { formOfSend } from '#test/support/people/read-advice.ts';
import type { Product } from './product.ts';
import { stops } from './programs.ts';

const askEveryMs = 500;
const simpleForm = 'application/x-www-form-urlencoded';
const headers = { 'accept-language': 'en' };

export type Photo = Awaited<ReturnType<typeof pictureForm>>;
export type HostedPerson = ReturnType<ReturnType<typeof hostedPersons>>;

/** Persons who use the hosted pages, without scripts. */
export function hostedPersons({ url }: Pick<Product, 'url'>) {
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  stops.push(() => agent.destroy());

  return (verifyUrl: string) => {
    const link = `${url}${new URL(verifyUrl).pathname}`;
    const page = async (): Promise<string> => {
      const answer = await request(link, { dispatcher: agent, headers });
      return answer.body.text();
    };
    /** Returns where the answer leads, and how long it took. */
    const post = async (action: string, { body, type }: Photo) => {
      const sentMs = performance.now();
      const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body } as const;
      const answer = await request(`${link}/${action}`, { ...sent, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 303) throw new Error(`${action} answered ${answer.statusCode}`);
      return { tookMs: performance.now() - sentMs, location: String(answer.headers.location) };
    };

    return {
      start: () => post('start?lang=en', { body: consented, type: simpleForm }),
      hand: (kind: string, photo: Photo) => post(`picture?lang=en&kind=${kind}&source=upload`, photo),
      send: async () => post('submit?lang=en', { body: formOfSend(await page()), type: simpleForm }),
      /** Asks for the page until the verdict is there. Returns what the page said about the wait, as it changed. */
      async waitForVerdict(): Promise<string[]> {
        const told: string[] = [];
        for (;;) {
          const shown = await page();
          if (shown.includes('<h1>Done</h1>')) return told;
          const said = />([^<]*(?:usually takes|can take)[^<]*)</.exec(shown)?.[1];
          if (said !== undefined && said !== told.at(-1)) told.push(said);
          await pause(askEveryMs);
        }
      },
    };
  };
}

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
