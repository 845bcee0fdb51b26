import type { PictureKind, PictureSource } from '#contract/enums.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { adviceAbove } from '../advice.ts';
import { action, here, otherWay, type PageInput, specimenForm, stopping, to, type View } from '../parts.ts';
import { cameraAccess } from '../texts/camera-access.ts';
import { examples } from './examples.ts';
import { onPhone, ownBrowser } from './hand-over.ts';

/**
 * The page on which a person takes or chooses one picture. Without scripts it has two forms: one opens the camera of the device, the
 * other a choice of files. The script adds the live camera, and shows each picture before it is sent. A plain choice of pictures offers
 * no camera on newer Android phones, so the camera has an input of its own.
 */
export function capture(input: PageInput, kind: PictureKind): View {
  const { link, text } = input;
  const { title, hint } = text.picture[kind];
  return {
    title,
    body: html`
      ${adviceAbove(input, kind)}
      <section class="capture" aria-label=${title} data-kind=${kind} data-camera=${JSON.stringify(cameraTexts(input, kind))}>
        <p id="hint">${hint}</p>
        ${examples(text.picture.examples, kind)}
        ${shown(input, kind)}
        <p class="told" role="status"></p>
        ${ownBrowser(input)}
        ${inputs(input, kind)}
        ${camera(input, kind)}
      </section>
      ${link.environment === 'sandbox' ? specimen(input, kind) : null}
      ${kind === 'selfie' ? null : html`<p><a href=${`${here(input)}&take=${otherDocument[kind]}`}>${text.document.other}</a></p>`}
      ${kind === 'selfie' ? otherWay(input) : null}
      ${onPhone(input)}
      ${stopping(input)}
    `,
  };
}

const otherDocument = {
  passport_page: 'card_front',
  card_front: 'passport_page',
  card_back: 'passport_page',
};

/** The shape of the frame: a card (ID-1), the page of a passport (ID-3), or an oval for a face. */
const shapes = { passport_page: 'id3', card_front: 'id1', card_back: 'id1', selfie: 'face' } as const;

/** The texts that the script shows one at a time. */
function cameraTexts({ text: { camera }, language, browser = 'other' }: PageInput, kind: PictureKind) {
  const { hints, faceHints } = camera;
  const troubles = { ...camera.troubles, denied: cameraAccess(language, browser) };
  return { hints: kind === 'selfie' ? { ...hints, ...faceHints } : hints, troubles };
}

const formOf = (input: PageInput, kind: PictureKind, source: PictureSource) =>
  to(input, 'picture', `&kind=${kind}&source=${source}`);

/** The picture before it is sent. Only the script shows it. */
const shown = (input: PageInput, kind: PictureKind): Markup => {
  const { camera, picture } = input.text;
  return html`
    <form class="shown" hidden method="post" enctype="multipart/form-data" action=${to(input, 'picture', `&kind=${kind}`)}>
      <h2 tabindex="-1">${camera.readable[kind === 'selfie' ? 'face' : 'document']}</h2>
      <img class="preview" alt=${camera.taken} />
      <progress max="1" value="0" aria-label=${picture.sending} hidden></progress>
      ${action(html`<button data-sending=${picture.sending}>${picture.send}</button>`)}
      <button type="button" class="secondary retake">${camera.retake}</button>
    </form>
  `;
};

/** The page itself says what is missing, in its own language. So the forms ask the browser for no bubble. */
function inputs(input: PageInput, kind: PictureKind): Markup {
  const { text, fault } = input;
  const { camera, picture } = text;
  const described = {
    'aria-describedby': fault === undefined ? 'hint formats' : 'fault hint formats',
    'aria-invalid': fault === undefined ? undefined : 'true',
  };
  return html`
    <div class="inputs">
      <button type="button" class="open" hidden>${camera.open}</button>
      <form class="by-camera" method="post" enctype="multipart/form-data" novalidate action=${formOf(input, kind, 'capture_input')}>
        <label>
          ${camera.take}
          <input type="file" name="picture" required accept="image/*" capture=${kind === 'selfie' ? 'user' : 'environment'} ...${described} />
        </label>
        <button data-sending=${picture.sending}>${picture.send}</button>
      </form>
      <form class="by-file" method="post" enctype="multipart/form-data" novalidate action=${formOf(input, kind, 'upload')}>
        <label>
          ${camera.choose}
          <input type="file" name="picture" required accept="image/jpeg,image/png,image/webp" ...${described} />
        </label>
        <button data-sending=${picture.sending}>${picture.send}</button>
      </form>
      <small id="formats">${picture.formats}</small>
    </div>
  `;
}

/** The live camera, above everything else on the page. */
const camera = (input: PageInput, kind: PictureKind): Markup => {
  const { text } = input;
  return html`
    <dialog class="camera" data-shape=${shapes[kind]} aria-label=${text.picture[kind].title}>
      <video autoplay muted playsinline aria-hidden="true"></video>
      <div class="frame" aria-hidden="true"></div>
      <p class="hint" role="status"></p>
      <div class="buttons">
        <button type="button" class="shutter">${text.camera.shutter}</button>
        <button type="button" class="secondary close">${text.camera.close}</button>
        <label><input type="checkbox" role="switch" class="auto" /> ${text.camera.auto}</label>
      </div>
    </dialog>
  `;
};

const specimen = (input: PageInput, kind: PictureKind): Markup => html`
  <figure>
    <img class="specimen" src=${`${input.base}assets/${kind}.svg`} alt="" />
    <figcaption>${input.text.picture.specimenShown}</figcaption>
  </figure>
  ${specimenForm(input, kind, input.text.picture.specimen)}
`;
