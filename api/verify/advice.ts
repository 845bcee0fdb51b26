import type { EvidenceKind } from '#contract/enums.ts';
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

/** The same beside the picture in the list before Send. An answer that came late is read here first. */
export function adviceBeside({ link, text }: PageInput, kind: EvidenceKind): Markup | null {
  const advice = link.advice[kind];
  return advice === undefined ? null : html`<small class="advice">${text.advice[advice]}</small>`;
}
