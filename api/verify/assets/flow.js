// The pages work without scripts. The scripts keep the pictures in the memory of the page, and add the live camera.
import { capture } from './capture.js';
import { follow } from './follow.js';
import { shotOf } from './memory.js';
import { arrive, followLinksAndForms, onEachPage } from './navigate.js';

onEachPage(capture);
onEachPage(move);
onEachPage(follow);
onEachPage(showThumbnails);
followLinksAndForms();
arrive();

/**
 * Only one page needs this script, so no other one loads it.
 * @param {AbortSignal} signal
 */
async function move(signal) {
  if (!document.querySelector('section.movements')) return;
  const { movements } = await import('./movements.js');
  if (!signal.aborted) movements(signal);
}

/** Shows the pictures from the memory of this page. The server never sends one back. */
function showThumbnails() {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll('main [data-picture]');
  for (const place of places) {
    const shot = shotOf(place.dataset.picture ?? '');
    const [hidden, image] = [place.querySelector('[hidden]'), place.querySelector('img')];
    if (shot?.arrivedAt === undefined || !hidden || !image) continue;
    image.src = shot.url;
    hidden.removeAttribute('hidden');
  }
}
