import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { harness, url } from '../../integration/console/acting.ts';
import { acts } from '../../integration/console/every-form.ts';
import { consolePages } from '../../support/people/console-table.ts';
import { browserOfFile, expectAccessible, expectContrast } from '../browser.ts';

/**
 * Each form of the console, sent without what it needs, on a small phone. The page that follows says what is wrong: above everything else,
 * where the focus is, and at each field.
 */

const visit = browserOfFile({ ...harness, url });
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Forms that the pages above them have only at times. Nobody types into these: they are a button, or a passkey fills them in. */
const onNoPage = [
  ...['/account/passkeys/new', '/organisation/idin/remove', '/organisation/logo/remove'],
  ...['/review/:id/claim', '/review/:id/take-back'],
];

/** Instead of the form of the list, the browser sends one. */
const sentOtherwise = new Error('the browser sends it');

type Form = { path: string; cookies: { name: string; value: string; url: string }[] };

/** Does what the list does, and looks instead of sending the form of this pattern. `look` gets where to, and the cookies of the person. */
async function insteadOf(
  pattern: string,
  run: () => Promise<unknown>,
  look: (form: Form) => Promise<void>,
): Promise<void> {
  const wanted = new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`);
  const { fetch } = globalThis;
  globalThis.fetch = async (to, init) => {
    const { origin, pathname: path } = new URL(String(to));
    if (init?.method !== 'POST' || origin !== url || !wanted.test(path)) return fetch(to, init);
    const cookies = (new Headers(init.headers).get('cookie') ?? '').split('; ').map((each) => {
      const [name = '', value = ''] = each.split('=');
      return { name, value, url };
    });
    await look({ path, cookies });
    throw sentOtherwise;
  };
  try {
    await run();
  } catch (error) {
    if (error === sentOtherwise) return;
    throw error;
  } finally {
    globalThis.fetch = fetch;
  }
  throw new Error(`${pattern} was not sent`);
}

const isPage = (pattern: string) =>
  consolePages.some(({ method, path }) => method === 'GET' && path === pattern);
const formTo = (page: Page, path: string) =>
  page.locator(`form:is([action="${path}"], [action^="${path}?"])`).first();

/** Opens the page that has the form: its own, or one above it. */
async function openPageOf(page: Page, pattern: string, path: string): Promise<boolean> {
  const parts = pattern.split('/');
  for (let count = parts.length; count > 0; count--) {
    if (!isPage(parts.slice(0, count).join('/') || '/')) continue;
    await page.goto(url + path.split('/').slice(0, count).join('/'));
    if ((await formTo(page, path).count()) > 0) return true;
  }
  return false;
}

/** Ticks and chooses nothing, and types this into each field. Returns how many fields there are. */
const fill = (page: Page, path: string, typed: string): Promise<number> =>
  formTo(page, path).evaluate((form, text) => {
    const fields = [...(form as HTMLFormElement).elements].filter((each) =>
      each.matches('input[name]:not([type=hidden]), select, textarea'),
    ) as HTMLInputElement[];
    for (const field of fields) {
      if (field.matches('[type=checkbox], [type=radio]')) field.checked = false;
      else if (field instanceof HTMLSelectElement) field.selectedIndex = -1;
      else field.value = field.type === 'file' ? '' : text;
    }
    return fields.length;
  }, typed);

/** Sends the form, wherever on the page its button is. Returns the status of the answer. */
async function send(page: Page, path: string): Promise<number> {
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === 'POST'),
    page.waitForEvent('load'),
    formTo(page, path).evaluate((form) => (form as HTMLFormElement).requestSubmit()),
  ]);
  return answer.status();
}

/** Each fault of the summary that has the focus: whether it leads to a field that is marked, and that it describes. */
const faultsOf = (page: Page) =>
  page.evaluate(() =>
    [...(document.activeElement?.querySelectorAll<HTMLAnchorElement>(':scope.summary a') ?? [])].map(
      ({ hash, textContent }) => {
        const field = document.querySelector(hash);
        const describing = [field, field?.closest('fieldset')].flatMap(
          (each) => each?.getAttribute('aria-describedby')?.split(' ') ?? [],
        );
        return {
          fault: textContent,
          isField: field?.matches('input, select, textarea') ?? false,
          isMarked: field?.getAttribute('aria-invalid') === 'true',
          isDescribed: describing.some((id) => document.getElementById(id)?.textContent === textContent),
        };
      },
    ),
  );

const tooLong = 'wrong '.repeat(500);

async function expectFaults(pattern: string, { path, cookies }: Form): Promise<void> {
  await harness.rows`update members set language = 'nl'`;
  const { page, context, surprises } = await visit('/sign-in', phone);
  await context.addCookies(cookies);
  const opened = await openPageOf(page, pattern, path);
  expect(opened).toBe(!onNoPage.includes(pattern));
  if (!opened || (await fill(page, path, '')) === 0) return;
  let status = await send(page, path);
  if (status !== 422) {
    // Nothing has to be typed into this one.
    await openPageOf(page, pattern, path);
    await fill(page, path, tooLong);
    status = await send(page, path);
  }
  expect(status).toBe(422);
  // A browser gives the focus to an element that asks for it only after the page was drawn.
  await expect.poll(() => faultsOf(page)).not.toEqual([]);
  const faults = await faultsOf(page);
  expect(faults).toEqual(
    faults.map(({ fault }) => ({ fault, isField: true, isMarked: true, isDescribed: true })),
  );
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page);
  expect(surprises.filter((each) => !/status of 422/.test(each))).toEqual([]);
}

test.each(Object.entries(acts))('%s says what is missing', (pattern, { run }) =>
  insteadOf(pattern, run, (form) => expectFaults(pattern, form)),
);
