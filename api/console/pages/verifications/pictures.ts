import type { ReadDocument, ReadPlace } from '#contract/documents/read-fields.ts';
import type { ReviewedPicture, Shown } from '#services/reviews/pictures.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import type { MemberRequest } from '../../request.ts';
import { readMarks, readTable } from './read-fields.ts';

/**
 * The evidence that was opened for a member, in two columns. Portrait and face are a pair on every screen, since they are compared. The page
 * needs `hasPictures`. `beside` is shown after the pictures.
 */
export function pictures(
  request: MemberRequest,
  { pictures: opened, read, confirmed }: Shown,
  beside: Markup | null = null,
): Markup {
  // Sandbox has no specimen of the documents of an income check.
  const faces = inOrder(opened.filter(({ kind }) => kind === 'portrait' || kind === 'selfie'));
  const documents = inOrder(opened.filter((each) => !faces.includes(each) && each.kind !== 'papers'));
  const figures = (shown: readonly ReviewedPicture[]) =>
    shown.map((picture) => figure(request, picture, read));
  return html`
    ${confirmed === null ? null : statement(request, confirmed)}
    <div class="case">
      ${figures(documents)}
      ${faces.length === 0 ? null : html`<div class="faces">${figures(faces)}</div>`}
      ${read && readTable(request, read)}
      ${beside}
    </div>
    ${viewer(request)}
  `;
}

/** A picture in a window of its own, where scripts run. Its keys are those of the page. */
function viewer({ member, text }: MemberRequest): Markup {
  const t = text.reviews.viewer;
  const tool = (act: string, sign: string, name: string) =>
    html`<button type="button" class="secondary" data-act=${act} aria-label=${name} title=${name}>${sign}</button>`;
  return html`
    <dialog id="viewer" class="viewer" aria-label=${t.title} data-keys=${member.hasShortcuts ? 'z' : undefined}>
      <div class="stage"></div>
      <div class="tools">
        <p><span></span> <small>${t.keys}</small></p>
        ${tool('smaller', '−', t.smaller)} ${tool('larger', '+', t.larger)} ${tool('fit', '⤢', t.fit)} ${tool('turn', '↻', t.turn)}
        <button type="button" class="secondary" data-act="next">${t.following}</button>
        <button type="button" data-act="close">${t.close}</button>
      </div>
    </dialog>
  `;
}

/** What a bank confirmed of the person. A name of the scheme that has no text is shown as it is. */
function statement({ text }: MemberRequest, confirmed: Readonly<Record<string, string>>): Markup {
  const names: Readonly<Record<string, string>> = text.reviews.attributes;
  return html`
    <dl>
      ${Object.entries(confirmed).map(([name, value]) => html`<div><dt>${names[name] ?? name}</dt><dd>${value}</dd></div>`)}
    </dl>
  `;
}

const order: readonly ReviewedPicture['kind'][] = [
  ...([
    'passport_page',
    'card_front',
    'card_back',
    'masked_front',
    'masked_back',
    'portrait',
    'selfie',
  ] as const),
];

const inOrder = (pictures: readonly ReviewedPicture[]): ReviewedPicture[] =>
  pictures.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));

const sides: Partial<Record<ReviewedPicture['kind'], ReadPlace['side']>> = {
  masked_front: 'front',
  masked_back: 'back',
};

/** The link makes the figure fill the window, and the link in the large figure leads back. No script is needed. */
function figure(
  { text }: MemberRequest,
  { kind, jpeg, source }: ReviewedPicture,
  read: ReadDocument | null,
): Markup {
  const t = text.reviews;
  const side = sides[kind];
  const address =
    jpeg === null ? `/verify/assets/${kind}.svg` : `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const name = t.kinds[kind];
  return html`
    <figure id=${kind} class=${side === undefined ? 'picture' : 'picture sheet'}>
      <div class="marked">
        <a class="open" href=${`#${kind}`} aria-label=${`${t.enlarge}: ${name}`}><img src=${address} alt=${name} /></a>
        ${side && read && readMarks(read, side)}
      </div>
      <a class="close" href="#main">${t.shrink}</a>
      <figcaption>${name}${source === null ? null : html`<br /><small>${t.sources[source]}</small>`}</figcaption>
    </figure>
  `;
}
