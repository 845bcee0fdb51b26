import { type ErrorCode, errors } from '#contract/errors.ts';
import type { Link } from '#services/flow/find-link.ts';
import type { RefusalPages } from '../refusal-pages.ts';
import { isPage, locationAt } from './location.ts';
import { pageHeaders } from './page.ts';
import type { PageLocation } from './parts.ts';
import type { Trouble } from './texts/frame.ts';
import { showTrouble, showUnknown } from './views.ts';

const troubleOf: Record<number, Trouble> = {
  404: 'noPage',
  405: 'noPage',
  408: 'tooSlow',
  429: 'tooOften',
  503: 'away',
};

type About = { link?: Link | undefined; answersForm: boolean };

/** The page of a refusal. Without a link, what is not found is the link itself. */
export function showRefusal(location: PageLocation, code: ErrorCode, about: About): string {
  const { status } = errors[code];
  if (status === 404 && about.link === undefined) return showUnknown(location);
  return showTrouble(location, troubleOf[status] ?? 'other', about);
}

/**
 * The pages of requests that are refused before a route has them, such as a photo that stops half-way or a header that is sent twice.
 * Nobody looks the link up, so the page does not name the organisation; it leads back to the verification.
 */
export const hostedRefusals: RefusalPages = (asked) =>
  isPage(asked)
    ? (code) => ({
        headers: pageHeaders,
        body: showRefusal(locationAt(asked), code, { answersForm: asked.method === 'POST' }),
      })
    : undefined;
