import { languages } from '#contract/enums.ts';
import type { RefusalForm } from '../raw-refusals.ts';
import { contentSecurityPolicy } from './page.ts';
import { showTrouble } from './views.ts';

/** A form that a person sends. Its address names the language. */
const form = /^\/verify\/([\w-]+)\/\w+(?:\?(.*))?$/;

/**
 * The page of a request that the server ends before its body has arrived, such as a photo on a slow connection. Nobody looks the link
 * up, so the page does not name the organisation; it leads back to the verification.
 */
export const refusalPage: RefusalForm = ({ code }, { url }) => {
  const [, token, query] = form.exec(url) ?? [];
  if (token === undefined) return undefined;
  const asked = new URLSearchParams(query).get('lang');
  const language = languages.find((each) => each === asked) ?? 'en';
  const body = showTrouble(
    { token, language, base: '../' },
    code === 'request_timeout' ? 'tooSlow' : 'other',
    { answersForm: true },
  );
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
    },
    body,
  };
};
