import type { Middleware } from 'koa';
import type { EvidenceKind } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { Link } from '#services/flow/find-link.ts';
import { isUsed } from '#services/flow/hand-in.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { locationAt } from './location.ts';
import { pageHeaders } from './page.ts';
import type { PageLocation } from './parts.ts';
import type { Fault } from './texts/faults.ts';

/** What every route below a link uses of its request, and how it answers. */

export type Pages = Middleware<ApiState & { link?: Link }>;
export type PageContext = ApiContext & { state: { link?: Link } };

export const tokenOf = ({ params }: ApiContext): string => params.token ?? '';

export function linkOf({ state }: PageContext): Link {
  if (state.link === undefined) throw new Error('a route without `requireLink` asked for its link');
  return state.link;
}

/** The link of a verification that uses this evidence. To any other one the address is unknown. */
export function linkUsing(koa: PageContext, kind: EvidenceKind): Link {
  const link = linkOf(koa);
  if (!isUsed(link, kind)) throw new Problem('not_found');
  return link;
}

export const locationOf = (koa: PageContext): PageLocation => ({
  ...locationAt(koa.req, koa.state.link?.languages),
  token: tokenOf(koa),
});

export function setPageHeaders(koa: ApiContext): void {
  koa.set(pageHeaders);
}

/** Redirects to the page of the next step. The browser loads that page by a GET, so going back or reloading sends no form twice. */
export function goOn(koa: PageContext, { fault, take }: { fault?: Fault; take?: EvidenceKind } = {}): void {
  const { token, language } = locationOf(koa);
  const query = new URLSearchParams({ lang: language, ...(take && { take }), ...(fault && { fault }) });
  koa.status = 303;
  koa.set('Location', `../${token}?${query}`);
}

/** The rest of the body is read and dropped, since the next request on this connection comes after it. */
export function dropAndGoOn(koa: PageContext): void {
  koa.req.resume();
  goOn(koa);
}
