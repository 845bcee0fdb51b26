import { type Language, languages } from '#contract/enums.ts';
import { idInToken } from '#services/views/link.ts';
import { preferredLanguage } from '../pages/preferred-language.ts';
import type { Asked } from '../refusal-pages.ts';
import type { PageLocation } from './parts.ts';

/** An address of a page: its path, and what follows it. A request may also have the whole address (RFC 9112, 3.2.2). */
const address = /^(?:https?:\/\/[^/?#]*)?(\/verify(?:\/[^?#]*)?)(?:[?#](.*))?$/is;

/** True for every address of which a person may see the answer. */
export const isPage = ({ url = '' }: Asked): boolean => address.test(url);

/**
 * Returns the token, the language and the relative path of a page. Of the languages that the organisation has chosen, it is the one in
 * the query, else the one that the browser prefers. If the browser names no language, the language is Dutch. If the browser names none
 * of them, it is English. An organisation with one language has all pages in it. The token is empty if it has not the form of one.
 */
export function locationAt(
  { url = '', headers }: Asked,
  offered: readonly Language[] = languages,
): PageLocation {
  const [, path = '', query] = address.exec(url) ?? [];
  const asked = new URLSearchParams(query).get('lang');
  const language =
    offered.find((each) => each === asked) ??
    preferredLanguage(offered, headers['accept-language']) ??
    offered.find((each) => each === 'en') ??
    offered[0] ??
    'en';
  const [, , token = '', ...below] = path.split('/');
  const base = path === '/verify' ? 'verify/' : '../'.repeat(below.length);
  return { token: idInToken(token) === undefined ? '' : token, language, base };
}
