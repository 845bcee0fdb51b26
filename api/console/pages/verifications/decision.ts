import type { ReviewOutcome } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import type { Material } from '#services/reviews/material.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';

/** What a form of a decision named. `outcome` is undefined if it named none that exists. */
export type Ticked = { outcome: ReviewOutcome | undefined; reasonIds: readonly string[]; note: string };

/** What a form was refused for. */
export type Faulty = Ticked & { fault: 'reasons' | 'note' };

/** Reads the form. The one tick of an approval names all that it confirms, with spaces between. */
export const tickedIn = (sent: URLSearchParams): Ticked => ({
  outcome: (['approved', 'rejected'] as const).find((each) => each === sent.get('outcome')),
  reasonIds: sent.getAll('reason').flatMap((each) => each.split(' ')),
  note: sent.get('note') ?? '',
});

/** In the address of a review, if the member decides one after the other. A form of that page has it as a field. */
export const inARow = 'row=1';
export const isInARow = ({ query, form: sent }: Pick<MemberRequest, 'query' | 'form'>): boolean =>
  (query.get('row') ?? sent.get('row')) === '1';

/** The part of the page in which the member decides. It stays in sight beside the evidence. */
export function decision(request: MemberRequest, id: string, { offered }: Material, faulty?: Faulty): Markup {
  const t = request.text.deciding;
  const path = `/review/${id}`;
  const { approved, rejected } = offered;
  return html`
    ${faulty !== undefined && faulty.outcome === undefined ? html`<p><strong class="fault" id="decision-fault">${request.text.evidence.noOutcome}</strong></p>` : null}
    ${approved.length === 0 ? html`<p>${t.cannotApprove}</p>` : decide(request, path, 'approved', approval(request, approved, faulty), faulty)}
    ${decide(request, path, 'rejected', rejection(request, rejected, faulty), faulty)}
    ${form(request, `${path}/release`, html`<button class="quiet" title=${t.releaseText}>${t.release}</button>`)}
    ${request.member.hasShortcuts ? html`<p class="shortcuts"><small>${t.shortcuts} <a href="/account">${t.switchOff}</a></small></p>` : null}
  `;
}

function decide(
  request: MemberRequest,
  path: string,
  outcome: ReviewOutcome,
  ticks: Markup,
  faulty: Faulty | undefined,
): Markup {
  const t = request.text.deciding;
  const title = outcome === 'approved' ? t.approve : t.reject;
  const own = faulty?.outcome === outcome ? faulty : undefined;
  return form(
    request,
    `${path}/decide`,
    html`
      <fieldset>
        <legend>${title}</legend>
        <input type="hidden" name="outcome" value=${outcome} />
        ${isInARow(request) ? html`<input type="hidden" name="row" value="1" />` : null}
        ${ticks}
        ${own?.fault === 'reasons' ? html`<strong class="fault" id=${`${outcome}-fault`}>${t.faults[outcome]}</strong>` : null}
        <div class="send">
          ${note(request, outcome, own)}
          <button class=${outcome === 'rejected' ? 'danger' : undefined}>${title}</button>
        </div>
      </fieldset>
    `,
  );
}

/** Folded, because most decisions need none. */
function note({ text }: MemberRequest, outcome: ReviewOutcome, own: Faulty | undefined): Markup {
  const t = text.deciding;
  const id = `${outcome}-note`;
  const isTooLong = own?.fault === 'note';
  return html`
    <details open=${own !== undefined && own.note !== ''}>
      <summary>${t.addNote}</summary>
      <label for=${id}>${t.note}</label>
      <textarea id=${id} name="note" rows="3" maxlength=${isTooLong ? undefined : limits.reviewNoteCharacters} aria-describedby=${`${id}-hint${isTooLong ? ` ${id}-fault` : ''}`} aria-invalid=${isTooLong ? 'true' : undefined}>${own?.note ?? ''}</textarea>
      <small id=${`${id}-hint`}>${t.noteHint}</small>
      ${isTooLong ? html`<strong class="fault" id=${`${id}-fault`}>${t.faults.note(limits.reviewNoteCharacters)}</strong>` : null}
    </details>
  `;
}

/** One tick confirms every point, because an approval names all of them. */
function approval(
  { member, text }: MemberRequest,
  offered: readonly string[],
  faulty: Faulty | undefined,
): Markup {
  const t = text.deciding;
  const isTicked = faulty?.outcome === 'approved' && offered.every((id) => faulty.reasonIds.includes(id));
  const isFaulty = faulty?.outcome === 'approved' && faulty.fault === 'reasons';
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
  faulty: Faulty | undefined,
): Markup {
  const isOwn = faulty?.outcome === 'rejected';
  const isFaulty = isOwn && faulty.fault === 'reasons';
  return html`
    ${offered.map(
      (id, place) => html`
        <label class="box">
          <input type="checkbox" name="reason" value=${id} id=${place === 0 ? 'rejected' : undefined} data-keys=${member.hasShortcuts ? keysOf(place) : undefined}
            checked=${isOwn && faulty.reasonIds.includes(id)} aria-invalid=${isFaulty ? 'true' : undefined}
            aria-describedby=${isFaulty ? 'rejected-fault' : undefined} />
          <span>${text.deciding.rejects[id]}${member.hasShortcuts ? html` <kbd>${place + 1}</kbd>` : null}</span>
        </label>
      `,
    )}
  `;
}

const keysOf = (place: number): string => (place === 0 ? '1 r' : `${place + 1}`);
