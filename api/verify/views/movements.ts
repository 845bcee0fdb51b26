import { help } from '../../pages/components.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { adviceAbove } from '../advice.ts';
import { otherWay, type PageInput, specimenForm, stopping, to, type View } from '../parts.ts';
import { cameraAccess } from '../texts/camera-access.ts';
import { onPhone, ownBrowser } from './hand-over.ts';

/**
 * The page on which a person moves before the camera as the server asks. It needs the script. Who has none, has no camera, or cannot move so,
 * goes on without.
 */
export function movements(input: PageInput): View {
  const { link, text } = input;
  const t = text.movements;
  return {
    title: t.title,
    body: html`
      ${adviceAbove(input, 'movements')}
      <section class="movements" aria-label=${t.title} data-kind="movements" data-ask=${to(input, 'ask-movements')} data-camera=${JSON.stringify(textsOf(input))}>
        <p class="lead">${t.text}</p>
        <p>${t.why}</p>
        <noscript><p>${t.needs}</p></noscript>
        <p class="told" role="status"></p>
        ${ownBrowser(input)}
        ${ways(input)}
        <form class="shown" hidden method="post" enctype="multipart/form-data" action=${to(input, 'movements')}>
          <progress max="1" value="0" aria-label=${t.sending} hidden></progress>
          <button data-sending=${t.sending}>${text.picture.send}</button>
        </form>
        ${camera(input)}
      </section>
      ${link.environment === 'sandbox' ? specimenForm(input, 'movements', text.picture.specimen) : null}
      ${help(
        t.without.title,
        html`
          <p>${t.without.text(link.organisation)}</p>
          <form method="post" action=${to(input, 'no-movements')}><button class="secondary">${t.without.button}</button></form>
        `,
      )}
      ${otherWay(input)}
      ${onPhone(input)}
      ${stopping(input)}
    `,
  };
}

/** The texts that the script shows one at a time. */
function textsOf({ text: { camera: words, movements: t }, language, browser = 'other' }: PageInput) {
  const { asks, starts } = words.hints;
  return {
    hints: { asks, starts, ...t.hints },
    troubles: { ...words.troubles, denied: cameraAccess(language, browser), offline: t.offline },
  };
}

const ways = ({ text: { movements: t } }: PageInput): Markup => html`
  <div class="ways" hidden>
    <label><input type="checkbox" role="switch" class="longer" /> ${t.longer}</label>
    <label><input type="checkbox" role="switch" class="aloud" /> ${t.aloud}</label>
    <button type="button" class="open">${t.open}</button>
  </div>
`;

/** The arrow stands beside the words that say the same. */
const camera = ({ text: { camera: words, movements: t } }: PageInput): Markup => html`
  <dialog class="camera" data-shape="face" aria-label=${t.title}>
    <video autoplay muted playsinline aria-hidden="true"></video>
    <div class="frame" aria-hidden="true"></div>
    <div class="arrow" aria-hidden="true"></div>
    <p class="hint" role="status" aria-live="assertive"></p>
    <div class="buttons">
      <button type="button" class="shutter">${t.begin}</button>
      <button type="button" class="secondary close">${words.close}</button>
    </div>
  </dialog>
`;
