import { expect } from 'vitest';
import type { EvidenceKind, PictureSource } from '#contract/enums.ts';
import { call } from '../harness.ts';
import { consented } from './consented.ts';
import { fileForm, type Payload, pictureForm } from './picture.ts';
import { formOfSend } from './read-advice.ts';

/**
 * An end user with a browser, who follows links and redirects and sends the forms of the pages. Nothing is kept between two pages.
 */
export function person(
  { url }: { url: string },
  verifyUrl: string,
  language = 'en',
  browser: Record<string, string> = {},
) {
  const path = new URL(verifyUrl).pathname;
  const headers = { ...browser, 'accept-language': language };
  const look = (query = '') => call({ url }, 'GET', path + query, { headers });

  /** Sends the form of this action with the address on the page, and follows the redirect. */
  const press = async (action: string, payload: Payload = {}, page?: { text: string }) => {
    const { text } = page ?? (await look());
    const target = new URL(formAction(text, action), `${url}${path}`);
    const answer = await call({ url }, 'POST', target.pathname + target.search, {
      rawBody: payload.body ?? '',
      headers: { ...headers, 'content-type': payload.type ?? 'application/x-www-form-urlencoded' },
    });
    if (answer.status !== 303) return answer;
    const next = new URL(String(answer.headers.location), target);
    expect(next.pathname, 'where a form leads').toBe(path);
    return call({ url }, 'GET', next.pathname + next.search, { headers });
  };

  /** Presses Send on this page, or on that of now. */
  const send = async (page?: { text: string }) => {
    const from = page ?? (await look());
    return press('submit', { body: formOfSend(from.text) }, from);
  };

  return {
    path,
    look,
    press,
    start: () => press('start', { body: consented }),
    send,
    /** Whoever insists reads advice that came since the page was made, and presses again. */
    async submit() {
      const page = await send();
      return page.text.includes('id="fault"') ? send(page) : page;
    },
    decline: () => press('decline'),
    noMovements: () => press('no-movements'),
    /** Asks for movements, as the script of the page does. */
    async askForMovements(patience = 'usual') {
      const { text } = await look('?take=movements');
      const address = String(/ data-ask="([^"]+)"/.exec(text)?.[1]).replaceAll('&amp;', '&');
      const { pathname, search } = new URL(address, `${url}${path}`);
      return call({ url }, 'POST', `${pathname}${search}&patience=${patience}`, { headers });
    },
    /** Hands in frames, as the script of the page does. */
    async moves(nonce: string, frames: Uint8Array) {
      const page = await look('?take=movements');
      const text = page.text.replace(/( action="[^"]*\/movements\?[^"]*)"/, `$1&amp;nonce=${nonce}"`);
      return press('movements', await pictureForm(frames, 'frames'), { text });
    },
    take: (kind: EvidenceKind) => look(`?take=${kind}`),
    /** A browser without scripts does not say how it got the picture. */
    async upload(kind: EvidenceKind, picture: Uint8Array, name = 'picture.jpg', source?: PictureSource) {
      const page = await look(`?take=${kind}`);
      const form = await pictureForm(picture, name);
      return press('picture', form, source === undefined ? page : { text: saying(page.text, source) });
    },
    /** Hands in a document of an income check. */
    paper: async (pdf: Uint8Array, name = 'document.pdf') =>
      press('paper', await fileForm('paper', pdf, name)),
    removePaper: (id: string) => press('remove-paper', { body: `id=${id}` }),
    async specimen(kind: EvidenceKind) {
      return press('specimen', {}, await look(`?take=${kind}`));
    },
  };
}

/** The page, with a form that says how the browser got the picture. */
const saying = (page: string, source: PictureSource): string =>
  page.replaceAll(/( action="[^"]*\/picture\?[^"]*)"/g, `$1&amp;source=${source}"`);

function formAction(page: string, action: string): string {
  const found = [...page.matchAll(/<form[^>]* action="([^"]+)"/g)].map(([, target = '']) => target);
  const target = found.find((each) => each.includes(`/${action}?`));
  expect(target, `a form for ${action} among ${found}`).toBeDefined();
  return String(target).replaceAll('&amp;', '&');
}
