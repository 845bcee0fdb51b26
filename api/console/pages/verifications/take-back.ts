import type { Environment } from '#contract/enums.ts';
import { heldFor } from '#services/reviews/take-back.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form, isUuid } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import { inARow, isInARow } from './decision.ts';

/** In the address of the page after a decision: the verification that was decided. */
export const afterDecision = (path: string, id: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}decided=${id}`;

/** Says what became of the last decision, and offers to take it back for as long as that is possible. */
export async function takeBackOffer(
  request: MemberRequest,
  environment: Environment,
): Promise<Markup | null> {
  const { callers, ctx, query, text } = request;
  const id = query.get('decided') ?? '';
  if (!isUuid(id)) return null;
  const held = await heldFor(ctx, callers[environment], { id });
  if (held === undefined) return null;
  const t = text.deciding;
  const seconds = Math.ceil(held.leftMs / 1000);
  const row = isInARow(request) ? html`<input type="hidden" name="row" value="1" />` : null;
  const button = html`<button class="secondary">${t.takeBack}</button>`;
  return html`
    <div class="take-back notice" data-seconds=${seconds}>
      <p><span role="status">${held.concludes ? t.stored : t.storedFirst}</span> ${t.heldFor} <b>${seconds}</b> ${t.seconds}</p>
      ${form(request, `/review/${id}/take-back`, html`${row}${button}`)}
    </div>
  `;
}

/** Where somebody who took a decision back goes on. */
export const backTo = (request: MemberRequest, id: string): string =>
  `/review/${id}${isInARow(request) ? `?${inARow}` : ''}`;
