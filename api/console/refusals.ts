import { html } from '../pages/markup.ts';
import type { RefusalPages } from '../refusal-pages.ts';
import { contentSecurityPolicy, framed } from './frame.ts';
import { languageAsked } from './session/visit.ts';
import { troubleOf, troubleView } from './show.ts';

/** People open every address of the console. Nobody finds out who is signed in, so the page stands alone. */
export const refusalPages: RefusalPages = (asked) => (code) => {
  const language = languageAsked(asked);
  const frame = { language, member: undefined, nav: [], path: '', token: html`` };
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(),
    },
    body: framed(frame, troubleView(language, troubleOf(code))),
  };
};
