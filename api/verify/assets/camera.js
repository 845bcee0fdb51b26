// The live camera: measures what it sees, and takes a picture.
import { hintFor, nextShown } from './hints.js';
import { part } from './part.js';
import { jpegOf } from './picture.js';
import { after, endOf, withCamera } from './stream.js';

/** @typedef {import('./hints.js').Grey} Grey */

const photoWithinMs = 3_000;
const measureEveryMs = 66;
const readyForMs = 1_000;

/** The smallest sides in pixels with which a document can be read. */
const documentMin = { longer: 1000, shorter: 600 };

/** Whether the person wants the photo taken without a button. Off until the person switches it on. */
let isAutomatic = false;

/**
 * Shows the camera until there is a picture. Resolves with undefined if the person closes it. Rejects with the trouble.
 * @param {HTMLDialogElement} dialog
 * @param {Record<string, string>} hints
 * @param {AbortSignal} left ends when the page is left
 */
export function openCamera(dialog, hints, left) {
  const parts = partsOf(dialog);
  const isFace = dialog.dataset.shape === 'face';
  return withCamera({ ...parts, hints, isFace, left }, (stream, tell, signal) => {
    if (!isFace && isCoarse(parts.video)) throw 'coarse';
    return pictureFrom(stream, parts, { isFace, tell, signal });
  });
}

/** @param {HTMLDialogElement} dialog */
const partsOf = (dialog) => ({
  dialog,
  video: part(dialog, 'video', HTMLVideoElement),
  frame: part(dialog, '.frame', HTMLElement),
  hint: part(dialog, '.hint', HTMLElement),
  shutter: part(dialog, '.shutter', HTMLButtonElement),
  close: part(dialog, '.close', HTMLButtonElement),
  auto: part(dialog, '.auto', HTMLInputElement),
});

/** @typedef {ReturnType<typeof partsOf>} Parts */

/** @param {HTMLVideoElement} video */
const isCoarse = ({ videoWidth, videoHeight }) =>
  Math.max(videoWidth, videoHeight) < documentMin.longer ||
  Math.min(videoWidth, videoHeight) < documentMin.shorter;

/**
 * Waits for the shutter, or for a view that stays good.
 * @param {MediaStream} stream
 * @param {Parts} parts
 * @param {{ isFace: boolean, tell: (hint: string) => void, signal: AbortSignal }} options
 */
async function pictureFrom(stream, parts, { isFace, tell, signal }) {
  const { shutter, auto, dialog } = parts;
  auto.checked = isAutomatic;
  auto.addEventListener('change', () => (isAutomatic = auto.checked), { signal });
  shutter.focus();
  const shot = new Promise((resolve) => {
    shutter.addEventListener('click', resolve, { once: true, signal });
    dialog.addEventListener('steady', resolve, { once: true, signal });
  });
  const measuring = new AbortController();
  // The shutter works whatever the measuring does.
  measure(parts, { isFace, tell, signal: measuring.signal }).catch(() => tell('ready'));
  try {
    await Promise.race([shot, endOf(signal)]);
  } finally {
    measuring.abort();
  }
  tell('hold_still');
  return stillOf(stream, parts, isFace);
}

/**
 * Measures several times a second. Only what lasts is told.
 * @param {Parts} parts
 * @param {{ isFace: boolean, tell: (hint: string) => void, signal: AbortSignal }} options
 */
async function measure({ dialog, video, frame }, { isFace, tell, signal }) {
  const look = lookerAt(video, frame, dialog.dataset.shape ?? '');
  /** @type {import('./hints.js').Shown | undefined} */
  let shown;
  let readySince = 0;
  while (!signal.aborted) {
    const startedMs = performance.now();
    const hint = hintFor(look(), isFace);
    readySince = hint === 'ready' ? readySince || startedMs : 0;
    shown = nextShown(shown, hint === 'ready' && isAutomatic ? 'hold_for_shot' : hint, startedMs);
    dialog.dataset.hint = shown.shown;
    tell(shown.shown);
    dialog.dispatchEvent(new Event('measured'));
    const isSteady = readySince > 0 && startedMs - readySince >= readyForMs;
    if (isAutomatic && isSteady) dialog.dispatchEvent(new Event('steady'));
    await after(Math.max(0, measureEveryMs - (performance.now() - startedMs)));
  }
}

const viewWidth = 160;
const stripWidth = 480;
/** What is measured around the frame, as a share of it. */
const margin = 0.125;
/** What is kept around the frame. */
const keptAround = 0.2;
/** @type {Record<string, readonly [number, number]>} where there is writing, as shares of the height of the frame */
const strips = { id1: [0.3, 0.6], id3: [0.75, 0.95], face: [0.3, 0.6] };

/**
 * Returns a function that takes small grey pictures of the frame and a strip of it.
 * @param {HTMLVideoElement} video
 * @param {HTMLElement} frame
 * @param {string} shape
 * @returns {() => import('./hints.js').Look}
 */
function lookerAt(video, frame, shape) {
  const [viewOf, stripOf] = [greyWith(video), greyWith(video)];
  const [from, to] = strips[shape] ?? [0, 1];
  /** @type {Grey | undefined} */
  let before;
  return () => {
    const inner = placeInVideo(video, frame);
    const outer = around(video, inner, margin);
    const scale = viewWidth / outer.width;
    const view = viewOf(outer, viewWidth);
    const strip = stripOf(
      {
        left: inner.left,
        top: inner.top + inner.height * from,
        width: inner.width,
        height: inner.height * (to - from),
      },
      stripWidth,
    );
    const [left, top] = [
      Math.round((inner.left - outer.left) * scale),
      Math.round((inner.top - outer.top) * scale),
    ];
    const right = Math.min(view.width, Math.round(left + inner.width * scale));
    const bottom = Math.min(view.height, Math.round(top + inner.height * scale));
    const look = { view, frame: { left, top, right, bottom }, strip, before };
    before = view;
    return look;
  };
}

/**
 * The place of the frame in pixels of the video, which fills its box and is cut at the sides.
 * @param {HTMLVideoElement} video
 * @param {HTMLElement} frame
 */
function placeInVideo(video, frame) {
  const [box, inner] = [video.getBoundingClientRect(), frame.getBoundingClientRect()];
  const scale = Math.max(box.width / video.videoWidth, box.height / video.videoHeight);
  return {
    left: Math.max(0, (inner.left - box.left - (box.width - video.videoWidth * scale) / 2) / scale),
    top: Math.max(0, (inner.top - box.top - (box.height - video.videoHeight * scale) / 2) / scale),
    width: inner.width / scale,
    height: inner.height / scale,
  };
}

/**
 * @param {HTMLVideoElement} video
 * @returns {(from: { left: number, top: number, width: number, height: number }, width: number) => Grey}
 */
function greyWith(video) {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return ({ left, top, width: wide, height: high }, width) => {
    const height = Math.max(1, Math.round((width * high) / wide));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context?.drawImage(video, left, top, wide, high, 0, 0, width, height);
    const colours = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
    const pixels = new Uint8Array(width * height);
    for (let index = 0, at = 0; index < pixels.length; index++, at += 4)
      pixels[index] =
        (77 * (colours[at] ?? 0) + 150 * (colours[at + 1] ?? 0) + 29 * (colours[at + 2] ?? 0)) >> 8;
    return { pixels, width, height };
  };
}

/**
 * @param {HTMLVideoElement} video
 * @param {ReturnType<typeof placeInVideo>} inner
 * @param {number} share of its sides
 */
function around(video, { left, top, width, height }, share) {
  const [x, y] = [Math.max(0, left - width * share), Math.max(0, top - height * share)];
  return {
    left: x,
    top: y,
    width: Math.min(video.videoWidth, left + width * (1 + share)) - x,
    height: Math.min(video.videoHeight, top + height * (1 + share)) - y,
  };
}

/**
 * The frame with what lies around it, in the full resolution of the camera where the browser gives it. A face is taken whole.
 * @param {MediaStream} stream
 * @param {Parts} parts
 * @param {boolean} isFace
 */
async function stillOf(stream, { video, frame }, isFace) {
  const photo = await photoOf(stream).catch(() => undefined);
  const [width, height] = photo ? [photo.width, photo.height] : [video.videoWidth, video.videoHeight];
  const scale = width / video.videoWidth;
  // A photo of another shape sees something else than the video.
  const isSeen = Math.abs(height - video.videoHeight * scale) < height / 50;
  const part = around(video, placeInVideo(video, frame), keptAround);
  const isCut = isSeen && !isFace && part.width * scale >= documentMin.longer;
  const from = isCut ? part : { left: 0, top: 0, width: video.videoWidth, height: height / scale };
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(from.width * scale), Math.round(from.height * scale)];
  const [x, y] = [Math.round(from.left * scale), Math.round(from.top * scale)];
  canvas.getContext('2d')?.drawImage(photo ?? video, -x, -y);
  return jpegOf(canvas);
}

/** @param {MediaStream} stream */
async function photoOf(stream) {
  const [track] = stream.getVideoTracks();
  if (!track || !('ImageCapture' in window)) return undefined;
  const late = after(photoWithinMs).then(() => Promise.reject('late'));
  return createImageBitmap(await Promise.race([new ImageCapture(track).takePhoto(), late]));
}
