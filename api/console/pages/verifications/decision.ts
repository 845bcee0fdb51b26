import type { ReviewOutcome } from '#contract/enums.ts';
import type { Material } from '#services/reviews/material.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';

/** What a form of a decision named. `outcome` is undefined if it named none that exists. */
export type Ticked = { outcome: ReviewOutcome | undefined; reasonIds: readonly string[] };

/** Reads the form. The one tick of an approval names all that it confirms, with spaces between. */
export const tickedIn = (sent: URLSearchParams): Ticked => ({
  outcome: (['approved', 'rejected'] as const).find((each) => each === sent.get('outcome')),
  reasonIds: sent.getAll('reason').flatMap((each) => each.split(' ')),
});

/** In the address of a review, if the member decides one after the other. A form of that page has it as a field. */
export const inARow = 'row=1';
export const isInARow = ({ query, form: sent }: Pick<MemberRequest, 'query' | 'form'>): boolean =>
  (query.get('row') ?? sent.get('row')) === '1';

/** The part of the page in which the member decides. It stays in sight beside the evidence. */
export function decision(request: MemberRequest, id: string, { offered }: Material, faulty?: Ticked): Markup {
  const t = request.text.deciding;
  const path = `/review/${id}`;
  const { approved, rejected } = offered;
  return html`
    ${faulty !== undefined && faulty.outcome === undefined ? html`<p><strong class="fault" id="decision-fault">${request.text.evidence.noOutcome}</strong></p>` : null}
    ${approved.length === 0 ? html`<p>${t.cannotApprove}</p>` : decide(request, path, 'approved', approval(request, approved, faulty), faulty)}
    ${decide(request, path, 'rejected', rejection(request, rejected, faulty), faulty)}
    ${request.member.hasShortcuts ? html`<p class="shortcuts"><small>${t.shortcuts} <a href="/account">${t.switchOff}</a></small></p>` : null}
    ${form(request, `${path}/release`, html`<button class="quiet" title=${t.releaseText}>${t.release}</button>`)}
  `;
}

function decide(
  request: MemberRequest,
  path: string,
  outcome: ReviewOutcome,
  ticks: Markup,
  faulty: Ticked | undefined,
): Markup {
  const t = request.text.deciding;
  const title = outcome === 'approved' ? t.approve : t.reject;
  const fault = faulty?.outcome === outcome ? `${outcome}-fault` : undefined;
  return form(
    request,
    `${path}/decide`,
    html`
      <fieldset>
        <legend>${title}</legend>
        <input type="hidden" name="outcome" value=${outcome} />
        ${isInARow(request) ? html`<input type="hidden" name="row" value="1" />` : null}
        ${ticks}
        ${fault === undefined ? null : html`<strong class="fault" id=${fault}>${t.faults[outcome]}</strong>`}
        <button class=${outcome === 'rejected' ? 'danger' : undefined}>${title}</button>
      </fieldset>
    `,
  );
}

/** One tick confirms every point, because an approval names all of them. */
function approval(
  { member, text }: MemberRequest,
  offered: readonly string[],
  faulty: Ticked | undefined,
): Markup {
  const t = text.deciding;
  const isFaulty = faulty?.outcome === 'approved';
  const isTicked = isFaulty && offered.every((id) => faulty.reasonIds.includes(id));
  return html`
    <label class="box">
      <input type="checkbox" name="reason" value=${offered.join(' ')} id="approved" data-keys=${member.hasShortcuts ? 'a' : undefined} aria-describedby=${isFaulty ? 'approved-fault' : undefined} checked=${isTicked} aria-invalid=${isFaulty ? 'true' : undefined} />
      <span>${t.confirm}${member.hasShortcuts ? html` <kbd>A</kbd>` : null}<ul>${offered.map((id) => html`<li>${t.confirms[id]}</li>`)}</ul></span>
    </label>
  `;
}

/** A digit ticks its reason. The partner receives the sentence of the catalogue. */
function rejection(
  { member, text }: MemberRequest,
  offered: readonly string[],
  faulty: Ticked | undefined,
): Markup {
  const isFaulty = faulty?.outcome === 'rejected';
  return html`
    ${offered.map(
      (id, place) => html`
        <label class="box">
          <input type="checkbox" name="reason" value=${id} id=${place === 0 ? 'rejected' : undefined} data-keys=${member.hasShortcuts ? keysOf(place) : undefined}
            checked=${isFaulty && faulty.reasonIds.includes(id)} aria-invalid=${isFaulty ? 'true' : undefined}
            aria-describedby=${isFaulty ? 'rejected-fault' : undefined} />
          <span>${text.deciding.rejects[id]}${member.hasShortcuts ? html` <kbd>${place + 1}</kbd>` : null}</span>
        </label>
      `,
    )}
  `;
}

const keysOf = (place: number): string => (place === 0 ? '1 r' : `${place + 1}`);
