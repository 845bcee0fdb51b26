// Follows the person's phone, and the checks. The answer is empty until something has changed.
import { focusOn, go, parsed, show } from './navigate.js';

const everyMs = 2_000;
/** How often the page before Send asks for advice on pictures that nobody has looked at. Send itself brings later advice. */
const asksForAdviceMax = 60;

/** @param {AbortSignal} signal */
export async function follow(signal) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll('button.copy');
  buttons.forEach(offerCopy);
  const begins = () => watch(phoneAddress(), signal, begin);
  if (document.querySelector('main[data-refreshes]')) return watch(location.href, signal, refresh);
  if (document.querySelector('.follows')) return watch(location.href, signal, step);
  if (document.querySelector('[data-awaits-look]'))
    return watch(location.href, signal, advise, asksForAdviceMax);
  document.querySelector('details.on-phone')?.addEventListener('toggle', begins, { once: true });
  return isShown('.hand-over') ? begins() : undefined;
}

/** @typedef {(page: Document, html: string, url: string, isFirst: boolean) => unknown} Changed */

/** @param {string} selector */
const isShown = (selector) => document.querySelector(selector)?.checkVisibility?.() ?? false;

const phoneAddress = () => `${location.pathname}?lang=${document.documentElement.lang}&follow=phone`;

/**
 * Asks for a page, with the tag of the last answer, until `changed` returns true. First the page itself loads.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {Changed} changed
 */
async function watch(url, signal, changed, asksMax = Number.POSITIVE_INFINITY) {
  const asked = new URL(url, location.href);
  for (let tag = '', asks = 0; !signal.aborted && asks < asksMax; asks++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    asked.searchParams.set('since', tag);
    const answer = await fetch(asked, { signal }).catch(() => undefined);
    const html = answer?.status === 200 ? await answer.text().catch(() => '') : '';
    if (signal.aborted || html === '') continue;
    if (changed(parsed(html), html, url, tag === '') === true) return;
    tag = answer?.headers.get('Page') ?? '';
  }
}

/** @type {Changed} The phone has moved, so this page becomes the one that follows it. */
const begin = (_page, html, url, isFirst) => {
  const isInUse = document.querySelector('dialog[open], form[aria-busy], form.shown:not([hidden])');
  if (!isFirst && !isInUse) show(html, url, 'push');
};

/**
 * Changes the words alone, so that they are read out and nothing else moves.
 * @param {Document} page
 */
function step(page) {
  if (!page.querySelector('.follows')) return go(location.href, 'none').catch(() => undefined);
  for (const part of ['.progress', '.follows', '.stages']) renew(part, page);
}

/**
 * Advice came late. It is read out, and the person stays where they are.
 * @param {Document} page
 */
function advise(page) {
  for (const { id } of page.querySelectorAll('.looked')) renew(`#${id}`, page);
  return !page.querySelector('[data-awaits-look]');
}

/**
 * @param {string} part
 * @param {Document} page
 */
function renew(part, page) {
  const [now, next] = [document.querySelector(part), page.querySelector(part)];
  if (now && next && now.innerHTML !== next.innerHTML) now.innerHTML = next.innerHTML;
}

/**
 * The element `main` stays, since it is a live region.
 * @param {Document} page
 */
function refresh(page) {
  const [now, next] = [document.querySelector('main'), page.querySelector('main')];
  if (!now || !next || now.textContent === next.textContent) return false;
  const hadFocus = now.contains(document.activeElement);
  document.title = page.title;
  now.replaceChildren(...next.childNodes);
  if (hadFocus) focusOn(document.querySelector('h1'));
  return !next.hasAttribute('data-refreshes');
}

/**
 * The button stands in for the address, until copying fails.
 * @param {HTMLButtonElement} button
 */
function offerCopy(button) {
  const [address, told] = [button.previousElementSibling, button.nextElementSibling];
  if (!navigator.clipboard || !(address instanceof HTMLElement) || !told) return;
  button.hidden = false;
  address.hidden = true;
  button.addEventListener('click', async () => {
    address.hidden = await navigator.clipboard.writeText(address.textContent ?? '').then(
      () => true,
      () => false,
    );
    told.textContent = (address.hidden ? button.dataset.copied : button.dataset.failed) ?? '';
  });
}
