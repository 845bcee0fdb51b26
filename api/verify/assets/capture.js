// The page on which a person takes or chooses a picture.
import { openCamera } from './camera.js';
import { forget, keep, shotOf } from './memory.js';
import { focusOn, forgetFault } from './navigate.js';
import { part } from './part.js';
import { smaller } from './picture.js';

const sideMax = 2400;

/** @param {AbortSignal} signal */
export function capture(signal) {
  /** @type {HTMLElement | null} */
  const section = document.querySelector('section.capture');
  if (!section) return;
  section.classList.add('scripted');
  const page = partsOf(section);
  const texts = JSON.parse(section.dataset.camera ?? '{}');

  const open = () =>
    tryCamera(page, texts.troubles, openCamera(page.dialog, texts.hints, signal), (picture) =>
      take(page, picture, 'live_camera'),
    );
  page.open.addEventListener('click', open);
  page.retake.addEventListener('click', () => {
    const wasLive = shotOf(page.kind)?.source === 'live_camera';
    forget(page.kind);
    chosen = '';
    showShot(page);
    page.inputs.querySelector('button')?.focus();
    if (wasLive) open();
  });
  /** The file that the person chose, as long as it is on the page. */
  let chosen = '';
  const nameOf = (/** @type {File} */ { name, size, lastModified }) => [name, size, lastModified].join('/');
  /** @type {NodeListOf<HTMLInputElement>} */
  const files = section.querySelectorAll('input[type=file]');
  for (const input of files)
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      // A script of an extension may tell of one choice several times.
      if (!file || nameOf(file) === chosen) return;
      chosen = nameOf(file);
      input.value = '';
      // Not every browser has a property for `capture`.
      void take(page, file, input.hasAttribute('capture') ? 'capture_input' : 'upload');
    });

  offerCamera(page, texts.troubles, page.open);
  showShot(page);
}

/** @param {HTMLElement} section */
const partsOf = (section) => ({
  section,
  kind: section.dataset.kind ?? '',
  shown: part(section, '.shown', HTMLFormElement),
  preview: part(section, '.preview', HTMLImageElement),
  inputs: part(section, '.inputs', HTMLElement),
  open: part(section, '.open', HTMLButtonElement),
  retake: part(section, '.retake', HTMLButtonElement),
  told: part(section, '.told', HTMLElement),
  ownBrowser: part(section, '.own-browser', HTMLElement),
  dialog: part(section, 'dialog', HTMLDialogElement),
});

/** @typedef {ReturnType<typeof partsOf>} Parts */

/**
 * @param {Parts} page
 * @param {Blob} file
 * @param {string} source
 */
async function take(page, file, source) {
  const picture = await smaller(file, sideMax);
  keep(page.kind, picture, source);
  if (!page.section.isConnected) return;
  forgetFault();
  page.told.textContent = '';
  showShot(page);
  focusOn(page.shown.querySelector('h2'));
}

/**
 * Shows the picture that waits to be sent, or the ways to take one.
 * @param {Parts} page
 */
function showShot({ kind, shown, preview, inputs }) {
  const shot = shotOf(kind);
  const waits = shot !== undefined && shot.arrivedAt === undefined;
  shown.hidden = !waits;
  inputs.hidden = waits;
  // It is about the picture that arrived before this one.
  document.querySelector('section.advice')?.toggleAttribute('hidden', waits);
  if (!waits) return;
  preview.hidden = false;
  // The server says what is wrong with a file that this browser cannot show.
  preview.addEventListener('error', () => (preview.hidden = true), { once: true });
  preview.src = shot.url;
}

/** @typedef {Pick<Parts, 'section' | 'told' | 'ownBrowser'>} Told the places of a page where it says why there is no camera */

/**
 * Shows what opens the camera, or why there is none.
 * @param {Told} page
 * @param {Record<string, string>} troubles
 * @param {HTMLElement} opens
 */
export function offerCamera(page, troubles, opens) {
  /** @type {MediaDevices | undefined} */
  const devices = navigator.mediaDevices;
  if (devices) opens.hidden = false;
  else explain(page, troubles, isSecureContext ? 'unsupported' : 'insecure');
}

/**
 * Uses what a camera made, or says why it made nothing.
 * @template Made
 * @param {Told} page
 * @param {Record<string, string>} troubles
 * @param {Promise<Made | undefined>} made
 * @param {(made: Made) => unknown} use
 */
export function tryCamera(page, troubles, made, use) {
  page.told.textContent = '';
  page.told.classList.remove('trouble');
  made.then(
    (given) => given && use(given),
    (trouble) => {
      explain(page, troubles, trouble);
      for (const shown of [page.ownBrowser, page.told]) shown.scrollIntoView({ block: 'nearest' });
    },
  );
}

/**
 * Says why there is no camera, and opens the other ways.
 * @param {Told} page
 * @param {Record<string, string>} troubles
 * @param {string} trouble
 */
function explain({ section, told, ownBrowser }, troubles, trouble) {
  told.classList.add('trouble');
  told.textContent = troubles[trouble] ?? troubles.busy ?? '';
  section.classList.add('no-camera');
  if (trouble === 'unsupported') ownBrowser.hidden = false;
  for (const details of document.querySelectorAll('.on-phone, .own-browser details'))
    details.setAttribute('open', '');
}
