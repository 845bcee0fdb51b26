// Goes from page to page inside one document, so that the pictures in its memory stay. Every page and form also works without scripts.
import { compare, forget, forgetAll, shotOf } from './memory.js';
import { smaller } from './picture.js';

/** @type {((signal: AbortSignal) => unknown)[]} */
const starters = [];
let stay = new AbortController();
/** Ends when the person chooses something else than the page that was asked for last. */
let errand = new AbortController();
let shownAddress = addressOf(location.href);

/**
 * Runs a function on each page. Its signal ends when the page is left.
 * @param {(signal: AbortSignal) => unknown} start
 */
export const onEachPage = (start) => starters.push(start);

export function arrive() {
  stay = new AbortController();
  for (const start of starters) start(stay.signal);
}

export function followLinksAndForms() {
  addEventListener('click', onClick);
  addEventListener('submit', onSubmit);
  addEventListener('popstate', () => {
    if (addressOf(location.href) !== shownAddress) void visit(location.href, 'none');
  });
  // A page that the browser kept may be of a step that has passed. Another tab or device may have gone on.
  addEventListener('pageshow', (event) => {
    if (event.persisted) void visit(location.href, 'none');
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') goOnIfPassed().catch(() => undefined);
  });
}

/** @param {string} url */
function addressOf(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}

/** @param {MouseEvent} event */
function onClick(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const opensElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!link || event.defaultPrevented || opensElsewhere) return;
  const isOurs = link.origin === location.origin && link.pathname === pathOfFlow() && !link.target;
  if (!isOurs || (link.hash !== '' && addressOf(link.href) === shownAddress)) return;
  event.preventDefault();
  void visit(link.href, 'push');
}

/**
 * Goes to another page. Without a connection it waits, however long that takes: to ask for a page changes nothing, so it may be repeated.
 * @param {string} url
 * @param {'push' | 'none'} history
 */
async function visit(url, history) {
  errand.abort();
  errand = new AbortController();
  const { signal } = errand;
  for (let tries = 1; !signal.aborted; tries++) {
    const isOver = await go(url, history, signal).then(
      () => true,
      () => signal.aborted,
    );
    if (isOver) return;
    tell('offline');
    await connectionOr(Math.min(1_000 * 2 ** tries, longestWaitMs));
  }
}

/** A page that answers a form has a longer path. */
const pathOfFlow = () => /^.*?\/verify\/[^/]+/.exec(location.pathname)?.[0];

/** @param {SubmitEvent} event */
function onSubmit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
  event.preventDefault();
  if (form.getAttribute('aria-busy') === 'true') return;
  errand.abort();
  form.setAttribute('aria-busy', 'true');
  press(form)
    .catch(() => location.reload())
    .finally(() => form.removeAttribute('aria-busy'));
}

/** @param {HTMLFormElement} form */
async function press(form) {
  const button = form.querySelector('button');
  if (button) {
    button.setAttribute('aria-disabled', 'true');
    button.textContent = button.dataset.sending ?? button.textContent;
  }
  const kind = form.classList.contains('shown') ? kindOf(form) : undefined;
  const shot = kind && shotOf(kind);
  const url = shot ? `${form.action}&source=${shot.source}` : form.action;
  const bodyAfter = shot ? (/** @type {number} */ cuts) => bodyWith(shot.picture, cuts) : () => bodyOf(form);
  const answer = await deliver(url, bodyAfter, form.querySelector('progress'));
  const hasFault = new URL(answer.responseURL).searchParams.get('fault');
  if (kind && answer.status === 200 && hasFault !== null && hasFault !== 'still_sending') forget(kind);
  const ends = ['submit', 'withdraw', 'decline'].some((last) => form.action.includes(`/${last}?`));
  if (ends && answer.status === 200 && hasFault === null) forgetAll();
  compare(answer.getResponseHeader('Pictures'), hasFault === null ? kind : undefined);
  show(answer.responseText, answer.responseURL, 'push');
}

/** @param {HTMLFormElement} form */
const kindOf = (form) => form.closest('section')?.dataset.kind;

/**
 * @param {HTMLFormElement} form
 * @returns {FormData | URLSearchParams}
 */
function bodyOf(form) {
  const data = new FormData(form);
  if (form.enctype === 'multipart/form-data') return data;
  return new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
}

/** The longer sides in pixels of a picture that was too large for the line once, twice or more often. */
const cutSides = [1600, 1200];

/**
 * @param {Blob} picture
 * @param {number} cuts how often it was cut off on its way
 */
async function bodyWith(picture, cuts) {
  const sent =
    cuts === 0 ? picture : await smaller(picture, cutSides[Math.min(cuts, cutSides.length) - 1] ?? 0);
  const data = new FormData();
  data.append('picture', sent, 'picture.jpg');
  return data;
}

const triesWhenBusyMax = 4;
const longestWaitMs = 15_000;
/** A line that fails after this time was slow. One that fails sooner is not there. */
const slowAfterMs = 10_000;

/**
 * Sends until there is an answer. Without a connection it waits, however long that takes. A service that is busy is asked a few times, and
 * so is one to which the picture came too slowly.
 * @param {string} url
 * @param {(cuts: number) => Promise<FormData> | FormData | URLSearchParams} bodyAfter
 * @param {HTMLProgressElement | null} progress
 */
async function deliver(url, bodyAfter, progress) {
  addEventListener('beforeunload', warn);
  try {
    for (let tries = 1, cuts = 0; ; tries++) {
      const body = await bodyAfter(cuts);
      const startedMs = performance.now();
      const answer = await post(url, body, progress);
      const why = delayOf(answer.status, performance.now() - startedMs);
      if (!why || (answer.status !== 0 && tries === triesWhenBusyMax)) return answer;
      tell(why);
      if (why === 'slow') cuts++;
      const seconds = Number(answer.getResponseHeader('Retry-After')) || 2 ** Math.min(tries, 4);
      await connectionOr(Math.min(seconds * 1_000, why === 'later' ? 60_000 : longestWaitMs));
    }
  } finally {
    removeEventListener('beforeunload', warn);
  }
}

/**
 * Says why something has to be sent again. Undefined if it need not.
 * @param {number} status
 * @param {number} tookMs
 * @returns {'offline' | 'later' | 'slow' | undefined}
 */
function delayOf(status, tookMs) {
  if (status === 408 || (status === 0 && tookMs > slowAfterMs)) return 'slow';
  if (status === 0) return 'offline';
  return status === 429 || status >= 500 ? 'later' : undefined;
}

/** @param {Event} event */
const warn = (event) => event.preventDefault();

/**
 * Resolves with status 0 if there is no answer. Only this way of sending tells how much has arrived.
 * @param {string} url
 * @param {FormData | URLSearchParams} body
 * @param {HTMLProgressElement | null} progress
 * @returns {Promise<XMLHttpRequest>}
 */
const post = (url, body, progress) =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (!progress) return;
      progress.hidden = false;
      progress.value = total === 0 ? 0 : loaded / total;
    });
    request.addEventListener('loadend', () => resolve(request));
    request.send(body);
  });

/** @param {number} ms */
const connectionOr = (ms) =>
  new Promise((resolve) => {
    addEventListener('online', resolve, { once: true });
    setTimeout(resolve, ms);
  });

/**
 * Says in words why something is not sent, or not shown, yet.
 * @param {'offline' | 'later' | 'slow'} why
 */
function tell(why) {
  const main = document.querySelector('main');
  const text = main?.dataset[why] ?? '';
  const told = document.querySelector('.told') ?? main?.appendChild(document.createElement('p'));
  if (!told) return;
  told.className = 'told';
  told.setAttribute('role', 'status');
  told.textContent = text;
}

/**
 * Shows the page of an address. Throws without a connection.
 * @param {string} url
 * @param {'push' | 'none'} history
 * @param {AbortSignal} [signal]
 */
export async function go(url, history, signal) {
  const answer = await fetch(url, { signal: signal ?? null });
  compare(answer.headers.get('Pictures'), undefined);
  show(await answer.text(), answer.url, history);
}

/** Another tab or device may have gone on while nobody looked at this page. */
async function goOnIfPassed() {
  const address = shownAddress;
  const answer = await fetch(location.href);
  const page = parsed(await answer.text());
  const isSame = page.querySelector('h1')?.textContent === document.querySelector('h1')?.textContent;
  if (isSame || address !== shownAddress || document.querySelector('dialog[open], form[aria-busy]')) return;
  compare(answer.headers.get('Pictures'), undefined);
  exchange(page);
}

/** @param {string} html */
export const parsed = (html) => new DOMParser().parseFromString(html, 'text/html');

/**
 * @param {string} html
 * @param {string} url
 * @param {'push' | 'none'} how
 */
export function show(html, url, how) {
  const page = parsed(html);
  if (!page.querySelector('main')) return location.reload();
  // The address first, since links of the page are relative to it.
  const isSame = addressOf(url) === addressOf(location.href);
  if (how === 'push') history[isSame ? 'replaceState' : 'pushState'](null, '', url);
  shownAddress = addressOf(location.href);
  exchange(page);
  scrollTo(0, 0);
}

/** @param {Document} page */
function exchange(page) {
  stay.abort();
  errand.abort();
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceChildren(...page.body.childNodes);
  arrive();
  focusOn(document.querySelector('main [role=alert]') ?? document.querySelector('h1'));
}

/**
 * Who reads with the ears begins at the title, or at what went wrong.
 * @param {HTMLElement | null} element
 */
export function focusOn(element) {
  if (!element) return;
  element.tabIndex = -1;
  element.focus();
}

/** Takes away an error that the person has answered. */
export function forgetFault() {
  document.querySelector('#fault')?.remove();
  for (const field of document.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  document.title = document.querySelector('h1')?.textContent ?? document.title;
}
