import { type Language, languages } from '#contract/enums.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { html } from '../pages/markup.ts';
import { preferredLanguage } from '../pages/preferred-language.ts';
import { shell } from '../pages/shell.ts';
import type { RefusalPages } from '../refusal-pages.ts';
import { docsHeaders, links } from './docs.ts';

/** The pages that people open on the origin of the API, besides those of a verification. All below them is for programs. */
const address = /^(?:https?:\/\/[^/?#]*)?\/(?:docs|console)\/?(?:[?#]|$)/i;

const texts: Record<Language, Record<'title' | 'noPage' | 'other' | 'docs', string>> = {
  en: {
    title: 'That did not work',
    noPage: 'There is no page at this address.',
    other: 'We could not process this request. Try again.',
    docs: 'The interface',
  },
  nl: {
    title: 'Dat lukte niet',
    noPage: 'Er is geen pagina op dit adres.',
    other: 'Wij konden dit verzoek niet verwerken. Probeer het opnieuw.',
    docs: 'De interface',
  },
};

export const docsRefusals: RefusalPages = ({ url = '', headers }) =>
  address.test(url)
    ? (code) => ({
        headers: docsHeaders,
        body: page(code, preferredLanguage(languages, headers['accept-language']) ?? 'en'),
      })
    : undefined;

function page(code: ErrorCode, language: Language): string {
  const text = texts[language];
  const said = [404, 405].includes(errors[code].status) ? text.noPage : text.other;
  return shell(
    { language, title: text.title, styles: [links.stylesheet], scripts: [], icon: links.icon },
    html`<main><h1>${text.title}</h1><p>${said}</p><p><a href="/docs">${text.docs}</a></p></main>`,
  );
}
