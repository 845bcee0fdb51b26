// Every page works without this script. The script copies what is shown once, and removes it from a page that is left.
/** @type {NodeListOf<HTMLButtonElement>} */
const copyButtons = document.querySelectorAll('button[data-copy]');
for (const button of copyButtons) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const secret = document.getElementById(button.dataset.copy ?? '');
    await navigator.clipboard.writeText(textOf(secret));
    button.textContent = button.dataset.copied ?? '';
  });
}

/** @param {HTMLElement | null} element */
function textOf(element) {
  const lines = element?.querySelectorAll('li') ?? [];
  return lines.length > 0
    ? [...lines].map((line) => line.textContent).join('\n')
    : (element?.textContent ?? '').trim();
}

// A browser may keep a page in memory for its Back button.
addEventListener('pagehide', () => {
  for (const secret of document.querySelectorAll('[data-secret]')) secret.textContent = '';
});

// To send a form twice does nothing twice, but its answer would be a page that says so.
let isSent = false;
addEventListener('submit', ({ target: form }) => {
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || form.dataset.passkey !== undefined)
    return;
  isSent = true;
  setTimeout(() => {
    for (const button of form.querySelectorAll('button')) button.disabled = true;
  });
});
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

// A queue and a dossier change while somebody looks. Only the part that says so is replaced, and nothing is typed there. Somebody who is
// away must be signed out by the time, so the page asks no more after a while without a key or a pointer.
const awayMs = 10 * 60_000;
let seenAt = Date.now();
for (const sign of ['keydown', 'pointerdown', 'pointermove', 'scroll'])
  addEventListener(sign, noteSign, { passive: true });

function noteSign() {
  seenAt = Date.now();
}

const now = document.getElementById('now');
if (now !== null) refreshLater(now);

/** @param {HTMLElement} part */
function refreshLater(part) {
  const seconds = Number(part.dataset.refresh ?? 0);
  if (seconds === 0) return;
  setTimeout(async () => {
    if (!document.hidden && Date.now() - seenAt < awayMs) await refresh(part).catch(() => undefined);
    refreshLater(part);
  }, seconds * 1000);
}

/** @param {HTMLElement} part */
async function refresh(part) {
  const answer = await fetch(location.href);
  // Somebody who is signed out is led elsewhere. The page stays as it is until they act.
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('now');
  if (fresh === null || isSent || getSelection()?.toString()) return;
  const focus = part.contains(document.activeElement) ? placeOf(document.activeElement) : null;
  part.replaceChildren(...fresh.childNodes);
  if (fresh.dataset.refresh === undefined) delete part.dataset.refresh;
  if (focus === null) return;
  // If the row is gone, the table gets the focus: on another row, Enter would start another review.
  /** @type {HTMLElement | null} */
  const same = part.querySelector(focus) ?? part.querySelector('[tabindex]');
  same?.focus({ preventScroll: true });
}

/**
 * A selector of the element that has the focus.
 * @param {Element | null} element
 */
function placeOf(element) {
  const form = element?.closest('form');
  if (form) return `form[action="${CSS.escape(form.getAttribute('action') ?? '')}"] button`;
  const href = element?.getAttribute('href');
  return href ? `a[href="${CSS.escape(href)}"]` : '[tabindex]';
}

// A password can be shown while it is typed. It is hidden again before the form is sent, so that the browser takes it for a password.
/** @type {NodeListOf<HTMLInputElement>} */
const revealers = document.querySelectorAll('[data-reveal]');
for (const box of revealers) {
  const input = document.getElementById(box.dataset.reveal ?? '');
  if (!(input instanceof HTMLInputElement)) continue;
  const show = () => {
    input.type = box.checked ? 'text' : 'password';
  };
  box.closest('label')?.removeAttribute('hidden');
  box.addEventListener('change', show);
  input.form?.addEventListener('submit', () => {
    box.checked = false;
    show();
  });
}

// A review is somebody's for some minutes.
/** @type {HTMLElement | null} */
const minutes = document.querySelector('[data-minutes]');
if (minutes !== null) {
  const endsAt = Date.now() + Number(minutes.dataset.minutes) * 60_000;
  setInterval(() => {
    minutes.textContent = `${Math.max(Math.ceil((endsAt - Date.now()) / 60_000), 0)}`;
  }, 10_000);
}

// A decision can be taken back for some seconds.
/** @type {HTMLElement | null} */
const offer = document.querySelector('[data-seconds]');
if (offer !== null) {
  const endsAt = Date.now() + Number(offer.dataset.seconds) * 1000;
  const timer = setInterval(() => {
    const left = Math.ceil((endsAt - Date.now()) / 1000);
    const shown = offer.querySelector('b');
    if (shown !== null) shown.textContent = `${left}`;
    if (left > 0) return;
    offer.remove();
    clearInterval(timer);
  }, 250);
}

// A passkey is asked of the device. Its answer goes into the form, whose token is the challenge.
/** @type {NodeListOf<HTMLFormElement>} */
const passkeyForms = document.querySelectorAll('form[data-passkey]');
if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined)
  for (const form of passkeyForms) {
    form.hidden = false;
    for (const text of document.querySelectorAll('[data-no-passkey]')) text.remove();
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const button = form.querySelector('button');
      const fault = form.querySelector('[role=alert]');
      if (button === null || fault === null) return;
      button.disabled = true;
      const credential = await askDevice(form).catch(() => null);
      button.disabled = false;
      fault.toggleAttribute('hidden', credential !== null);
      if (credential === null) return;
      fieldOf(form, 'credential').value = JSON.stringify(credential);
      form.submit();
    });
  }

/**
 * @param {HTMLFormElement} form
 * @returns {Promise<Credential | null>}
 */
async function askDevice(form) {
  const { passkey, options = '' } = form.dataset;
  const challenge = btoa(fieldOf(form, 'token').value)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const wanted = { ...JSON.parse(options), challenge };
  return passkey === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(wanted) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(wanted) });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement}
 */
function fieldOf(form, name) {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) throw new Error('a field of the form is missing');
  return field;
}
