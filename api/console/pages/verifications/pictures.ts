import type { ReadDocument, ReadPlace } from '#contract/documents/read-fields.ts';
import type { ReviewedPicture, Shown } from '#services/reviews/pictures.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import type { MemberRequest } from '../../request.ts';
import { readMarks, readTable } from './read-fields.ts';

/**
 * The evidence that was opened for a member. The page needs `hasPictures`. Portrait and face stand beside each other on every screen, since
 * they are compared.
 */
export function pictures(request: MemberRequest, { pictures: opened, read, confirmed }: Shown): Markup {
  // Sandbox has no specimen of the documents of an income check.
  const faces = inOrder(opened.filter(({ kind }) => kind === 'portrait' || kind === 'selfie'));
  const documents = inOrder(opened.filter((each) => !faces.includes(each) && each.kind !== 'papers'));
  const row = (shown: readonly ReviewedPicture[], className: string) =>
    shown.length === 0
      ? null
      : html`<div class=${className}>${shown.map((picture) => figure(request, picture, read))}</div>`;
  return html`
    ${confirmed === null ? null : statement(request, confirmed)}
    ${row(documents, 'pictures')}
    ${read && readTable(request, read)}
    ${row(faces, faces.length === 2 ? 'pictures faces' : 'pictures')}
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
  const address = jpeg === null ? `/assets/${kind}.svg` : `data:image/jpeg;base64,${jpeg.toString('base64')}`;
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
