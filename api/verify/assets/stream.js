// Opens a camera in a dialog, and closes it again whatever happens.

/** @typedef {'denied' | 'absent' | 'busy' | 'insecure' | 'unsupported' | 'coarse' | 'lost'} Trouble */

const startsWithinMs = 10_000;

/** @type {AbortController | undefined} */
let latest;

/**
 * Shows the camera in a dialog as long as `use` takes. Resolves with what it gives, or with undefined if the person closes the dialog. Rejects
 * with the trouble.
 * @template Made
 * @param {{ dialog: HTMLDialogElement, video: HTMLVideoElement, hint: HTMLElement, close: HTMLButtonElement, hints: Record<string, string>, isFace: boolean, left: AbortSignal }} camera
 *   `left` ends when the page is left
 * @param {(stream: MediaStream, tell: (hint: string) => void, signal: AbortSignal) => Promise<Made>} use
 * @returns {Promise<Made | undefined>}
 */
export async function withCamera({ dialog, video, hint, close, hints, isFace, left }, use) {
  latest?.abort();
  const closed = new AbortController();
  latest = closed;
  const { signal } = closed;
  left.addEventListener('abort', () => closed.abort(), { signal });
  const tell = (/** @type {string} */ name) => {
    if (hint.textContent !== hints[name]) hint.textContent = hints[name] ?? '';
  };
  // This event comes late: the person may have opened the camera again.
  dialog.addEventListener('close', () => dialog.open || closed.abort(), { signal });
  close.addEventListener('click', () => dialog.close(), { signal });
  dialog.classList.add('starts');
  tell('asks');
  dialog.showModal();
  /** @type {MediaStream | undefined} */
  let stream;
  try {
    stream = await streamFor(isFace);
    if (signal.aborted) return undefined;
    tell('starts');
    await shownBy(video, stream, signal);
    dialog.classList.remove('starts');
    return await Promise.race([use(stream, tell, signal), lossOf(stream, signal), endOf(signal)]);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw troubleOf(error);
  } finally {
    closed.abort();
    for (const track of stream?.getTracks() ?? []) track.stop();
    if (latest === closed) {
      video.srcObject = null;
      dialog.close();
    }
  }
}

/**
 * @param {MediaStream} stream
 * @param {AbortSignal} signal
 * @returns {Promise<never>}
 */
const lossOf = (stream, signal) =>
  new Promise((_, reject) => {
    for (const track of stream.getTracks()) track.addEventListener('ended', () => reject('lost'), { signal });
  });

/** @param {boolean} isFace */
function streamFor(isFace) {
  const video = {
    facingMode: { ideal: isFace ? 'user' : 'environment' },
    width: { ideal: isFace ? 1280 : 1920 },
    height: { ideal: isFace ? 960 : 1440 },
    // A camera that stands upright is not cut to the shape of one that lies.
    resizeMode: 'none',
  };
  return navigator.mediaDevices.getUserMedia({ audio: false, video });
}

/**
 * A camera that another program uses may open and never send a picture.
 * @param {HTMLVideoElement} video
 * @param {MediaStream} stream
 * @param {AbortSignal} signal
 */
async function shownBy(video, stream, signal) {
  video.srcObject = stream;
  await Promise.race([video.play(), after(startsWithinMs).then(() => Promise.reject('busy')), endOf(signal)]);
  if (video.videoWidth === 0) throw 'busy';
}

/** @param {number} ms */
export const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {AbortSignal} signal
 * @returns {Promise<never>}
 */
export const endOf = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject('closed')));

/** @type {Record<string, Trouble>} by the name of the error */
const troubles = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
  AbortError: 'busy',
  TypeError: 'insecure',
  // A browser inside another app.
  NotSupportedError: 'unsupported',
};

/** @param {unknown} error */
const troubleOf = (error) =>
  typeof error === 'string' ? error : (troubles[error instanceof Error ? error.name : ''] ?? 'busy');
