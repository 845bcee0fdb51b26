// The pages work without scripts. The scripts keep the pictures in the memory of the page, and add the live camera.
import { capture } from './capture.js';
import { follow } from './follow.js';
import { shotOf } from './memory.js';
import { arrive, followLinksAndForms, onEachPage } from './navigate.js';

onEachPage(capture);
onEachPage(follow);
onEachPage(showThumbnails);
followLinksAndForms();
arrive();

/** Shows the pictures from the memory of this page. The server never sends one back. */
function showThumbnails() {
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll('main li[data-picture]');
  for (const item of items) {
    const shot = shotOf(item.dataset.picture ?? '');
    const [details, image] = [item.querySelector('details'), item.querySelector('img')];
    if (shot?.arrivedAt === undefined || !details || !image) continue;
    image.src = shot.url;
    details.hidden = false;
  }
}
