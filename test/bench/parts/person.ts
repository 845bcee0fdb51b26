import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { consented } from '#test/support/people/consented.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { formOfSend } from '#test/support/people/read-advice.ts';
import { stops } from './programs.ts';

const stepsMax = 12;
const betweenStepsMs = 500;

/** End users who walk the hosted page: they look, do what the page asks for, and look again. */
export async function startPersons(apiUrl: string) {
  const agent = new Agent();
  stops.push(() => agent.destroy());
  const picture = await anyPicture();

  const ask = async (path: string, form?: { body: Buffer | string; type: string }) => {
    const answer = await request(apiUrl + path, {
      method: form === undefined ? 'GET' : 'POST',
      dispatcher: agent,
      headers: { 'accept-language': 'en', ...(form && { 'content-type': form.type }) },
      ...(form && { body: form.body }),
    });
    return { status: answer.statusCode, page: await answer.body.text() };
  };

  return {
    /** Returns when everything was sent. Throws if the page refuses a step. */
    async walk(verifyUrl: string): Promise<void> {
      const path = new URL(verifyUrl).pathname;
      for (let step = 0; step < stepsMax; step++, await pause(betweenStepsMs)) {
        const { page } = await ask(path);
        const next = await nextStep(page, picture);
        if (next === undefined) return;
        const { status } = await ask(`${path}/${next.action}`, next);
        if (status !== 303) throw new Error(`the hosted page answered ${status} to ${next.action}`);
      }
      throw new Error('the hosted page came to no end');
    },
  };
}

const simpleForm = 'application/x-www-form-urlencoded';

async function nextStep(page: string, picture: Buffer) {
  const asks = (action: string) => page.includes(`/${action}?`);
  if (asks('start')) return { action: 'start?lang=en', body: consented, type: simpleForm };
  if (asks('submit')) return { action: 'submit?lang=en', body: formOfSend(page), type: simpleForm };
  const kind = /\/picture\?[^"]*kind=(\w+)/.exec(page)?.[1] ?? /take=(passport_page)/.exec(page)?.[1];
  if (kind === undefined) return undefined;
  return { action: `picture?lang=en&kind=${kind}`, ...(await pictureForm(picture, `${kind}.jpg`)) };
}
