import type { LookedBack } from '#services/portions/look-back.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { when } from '../parts.ts';
import type { MemberRequest } from '../request.ts';

/** What is rare can lie far back, so a page says how far it looked, and leads on. `path` is its own. */
export function further(
  request: MemberRequest,
  path: string,
  { next, lookedBackTo }: LookedBack<unknown>,
): Markup | null {
  if (next === null) return null;
  const t = request.text.lookedBack;
  const query = new URLSearchParams(request.query);
  query.set('after', next);
  const looked = lookedBackTo === null ? null : html`${t.to} ${when(request, lookedBackTo)}. `;
  return html`<p>${looked}<a href=${`${path}?${query}`}>${t.further}</a></p>`;
}

/** What a page without a hit says. If the search has other pages, this one does not speak for all, so it does not say `ofAll`. */
export const nothingIn = (
  { query, text }: MemberRequest,
  { next }: LookedBack<unknown>,
  ofAll: string,
): string => (next === null && !query.get('after') ? ofAll : text.lookedBack.nothing);
