import type { Advice, EvidenceKind } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { html, type Markup } from '../pages/markup.ts';
import { here, type PageInput } from './parts.ts';

/**
 * What a quick look found about the picture of this kind, on the page that takes it again. The script shows the picture with it. The
 * person can always go on with the picture as it is, because a look may be wrong.
 */
export function adviceAbove(input: PageInput, kind: EvidenceKind): Markup | null {
  const { link, text, fault } = input;
  const advice = link.advice[kind];
  // A fault is about a newer photo, which was not taken.
  if (advice === undefined || fault !== undefined) return null;
  return html`
    <section class="advice" role="status" data-picture=${kind}>
      <p><strong>${text.advice.title}</strong></p>
      <img hidden alt=${text.camera.taken} />
      <p>${text.advice[advice]}</p>
      <p><a href=${here(input)}>${text.advice.anyway}</a></p>
    </section>
  `;
}

/** The form of Send. */
export const sendForm = 'send';

/** The field by which Send says what stood on its page: the page itself, and one value for each advice. */
const field = 'read';
const hiddenField = (value: string): Markup =>
  html`<input type="hidden" form=${sendForm} name=${field} value=${value} />`;

/** Belongs to the page of Send. A form without it is of a page that cannot say what was read, as those of an older version. */
export const saysWhatWasRead: Markup = hiddenField('page');

const readOf = (kind: string, advice: Advice): string => `${kind}:${advice}`;

/** The same beside the picture in the list before Send. An answer that comes late is read here first, so it is a live region. */
export function adviceBeside({ link, text }: PageInput, kind: EvidenceKind): Markup {
  const advice = link.advice[kind];
  return html`
    <div class="looked" id=${`looked-${kind}`} aria-live="polite">
      ${advice && html`<small class="advice">${text.advice[advice]}</small>`}
      ${advice && hiddenField(readOf(kind, advice))}
    </div>
  `;
}

/** True if all advice of now stood on the page whose form this is, or if the form cannot say so. */
export const hasRead = ({ advice }: Pick<Link, 'advice'>, form: URLSearchParams): boolean =>
  !form.has(field) ||
  Object.entries(advice).every(([kind, each]) => each === undefined || form.has(field, readOf(kind, each)));
