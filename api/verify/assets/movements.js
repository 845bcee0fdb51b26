// The page on which a person moves before the camera as the server asks. The server measures the frames: nothing here looks at a face.
import { offerCamera, tryCamera } from './capture.js';
import { forget, keep } from './memory.js';
import { show } from './navigate.js';
import { part } from './part.js';
import { jpegOf } from './picture.js';
import { after, endOf, withCamera } from './stream.js';

/** How long each part of a recording takes, and how often a frame is taken, in milliseconds. */
const paces = {
  usual: { middle: 1_500, movement: 2_600, back: 1_600, frame: 250 },
  longer: { middle: 3_000, movement: 7_000, back: 4_000, frame: 500 },
};
const side = 480;
const quality = 0.8;

/** @typedef {{ atMs: number, jpeg: Blob }} Frame */
/** @typedef {{ nonce: string, movements: string[] }} Asked */

/** @param {AbortSignal} signal */
export function movements(signal) {
  /** @type {HTMLElement | null} */
  const section = document.querySelector('section.movements');
  if (!section) return;
  section.classList.add('scripted');
  const page = partsOf(section);
  const texts = JSON.parse(section.dataset.camera ?? '{}');
  const offerVoice = () => page.aloud.closest('label')?.toggleAttribute('hidden', voiceOf() === undefined);
  offerVoice();
  // A browser finds its voices late.
  if ('speechSynthesis' in window) speechSynthesis.addEventListener('voiceschanged', offerVoice, { signal });
  page.open.addEventListener('click', () =>
    tryCamera(page, texts.troubles, record(page, texts, signal), (recording) => send(page, recording)),
  );
  offerCamera(page, texts.troubles, page.ways);
}

/** @param {HTMLElement} section */
const partsOf = (section) => ({
  section,
  shown: part(section, '.shown', HTMLFormElement),
  ways: part(section, '.ways', HTMLElement),
  open: part(section, '.open', HTMLButtonElement),
  longer: part(section, '.longer', HTMLInputElement),
  aloud: part(section, '.aloud', HTMLInputElement),
  told: part(section, '.told', HTMLElement),
  ownBrowser: part(section, '.own-browser', HTMLElement),
  dialog: part(section, 'dialog', HTMLDialogElement),
  video: part(section, 'video', HTMLVideoElement),
  hint: part(section, '.hint', HTMLElement),
  begin: part(section, '.shutter', HTMLButtonElement),
  close: part(section, '.close', HTMLButtonElement),
});

/** @typedef {ReturnType<typeof partsOf>} Parts */

/**
 * @param {Parts} page
 * @param {{ hints: Record<string, string> }} texts
 * @param {AbortSignal} left
 */
const record = (page, { hints }, left) =>
  withCamera({ ...page, hints, isFace: true, left }, async (_, tell, signal) => {
    const { dialog, begin, video } = page;
    dialog.dataset.movement = '';
    const pace = paces[page.longer.checked ? 'longer' : 'usual'];
    const prompt = (/** @type {string} */ hint, movement = '') => {
      dialog.dataset.movement = movement;
      tell(hint);
      if (page.aloud.checked) say(hints[hint] ?? '');
    };
    prompt('ready');
    begin.focus();
    await Promise.race([pressed(begin, signal), endOf(signal)]);
    dialog.classList.add('records');
    // Who closes the camera hears nothing more.
    const wait = (/** @type {number} */ ms) => Promise.race([after(ms), endOf(signal)]);
    try {
      const asked = await askedBy(page, signal);
      if (!asked) return undefined;
      const recording = framesOf(video, pace.frame, signal);
      prompt('middle');
      await wait(pace.middle);
      for (const movement of asked.movements) {
        prompt(movement, movement);
        await wait(pace.movement);
        prompt('back');
        await wait(pace.back);
      }
      return { nonce: asked.nonce, frames: await recording.end() };
    } finally {
      dialog.classList.remove('records');
    }
  });

/**
 * @param {HTMLButtonElement} button
 * @param {AbortSignal} signal
 */
const pressed = (button, signal) =>
  new Promise((resolve) => button.addEventListener('click', resolve, { once: true, signal }));

/**
 * Asks the server for the movements. Undefined if the answer is another page, which is shown.
 * @param {Parts} page
 * @param {AbortSignal} signal
 * @returns {Promise<Asked | undefined>}
 */
async function askedBy({ section, longer }, signal) {
  const patience = longer.checked ? 'longer' : 'usual';
  const answer = await fetch(`${section.dataset.ask}&patience=${patience}`, { method: 'POST', signal }).catch(
    () => Promise.reject('offline'),
  );
  if (answer.headers.get('Content-Type')?.startsWith('application/json')) return answer.json();
  show(await answer.text(), answer.redirected ? answer.url : location.href, 'push');
  return undefined;
}

/**
 * Takes frames until `end` is called, which gives them. The first one is compared with what was drawn: a browser that protects its user may
 * give noise.
 * @param {HTMLVideoElement} video
 * @param {number} everyMs
 * @param {AbortSignal} signal
 */
function framesOf(video, everyMs, signal) {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [
    Math.round(video.videoWidth * scale),
    Math.round(video.videoHeight * scale),
  ];
  /** @type {Frame[]} */
  const frames = [];
  let isOver = false;
  const taken = (async () => {
    const startedMs = performance.now();
    for (let at = startedMs; !isOver && !signal.aborted; at += everyMs) {
      await after(at - performance.now());
      canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
      const atMs = Math.round(performance.now() - startedMs);
      const jpeg = frames.length === 0 ? await jpegOf(canvas) : await encoded(canvas);
      frames.push({ atMs, jpeg });
      // A slow device takes fewer frames, and not all of them late.
      at = Math.max(at, performance.now() - everyMs);
    }
    return frames;
  })();
  // It is awaited at the end only.
  taken.catch(() => undefined);
  return {
    end() {
      isOver = true;
      return taken;
    },
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
const encoded = (canvas) =>
  new Promise((resolve, reject) =>
    canvas.toBlob((made) => (made ? resolve(made) : reject('busy')), 'image/jpeg', quality),
  );

/**
 * Sends the frames by the form of the page, as a picture is sent: a line of JSON, and the JPEGs.
 * @param {Parts} page
 * @param {{ nonce: string, frames: Frame[] }} recording
 */
function send({ shown, section }, { nonce, frames }) {
  if (!section.isConnected) return;
  const head = {
    times: frames.map(({ atMs }) => atMs - (frames[0]?.atMs ?? 0)),
    sizes: frames.map(({ jpeg }) => jpeg.size),
  };
  forget('movements');
  keep(
    'movements',
    new Blob([`${JSON.stringify(head)}\n`, ...frames.map(({ jpeg }) => jpeg)]),
    'live_camera',
  );
  const target = new URL(shown.action);
  target.searchParams.set('nonce', nonce);
  shown.action = target.href;
  shown.hidden = false;
  shown.requestSubmit();
}

/** A voice of this device, in the language of the page. A voice of a service would send away what it says. */
function voiceOf() {
  const { lang } = document.documentElement;
  const voices = 'speechSynthesis' in window ? speechSynthesis.getVoices() : [];
  return voices.find((voice) => voice.localService && voice.lang.toLowerCase().startsWith(lang));
}

/** @param {string} text */
function say(text) {
  const voice = voiceOf();
  if (!voice) return;
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.voice = voice;
  spoken.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(spoken);
}
