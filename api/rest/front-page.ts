import type Router from '@koa/router';
import { type Language, languages } from '#contract/enums.ts';
import { html } from '../pages/markup.ts';
import { preferredLanguage } from '../pages/preferred-language.ts';
import { shell } from '../pages/shell.ts';
import type { ApiState } from '../state.ts';
import { docsHeaders, links } from './docs.ts';

const texts: Record<Language, Record<'title' | 'person' | 'developer' | 'docs', string>> = {
  en: {
    title: 'Verification service',
    person: 'Have you been asked to prove who you are? Open the link that the organisation gave you.',
    developer: 'Do you make software that uses this service? Then read',
    docs: 'the interface',
  },
  nl: {
    title: 'Verificatiedienst',
    person:
      'Is u gevraagd te laten zien wie u bent? Open dan de link die u van de organisatie heeft gekregen.',
    developer: 'Maakt u software die deze dienst gebruikt? Lees dan',
    docs: 'de interface',
  },
};

/** Answers a person who opens the address of the service without a path. A program is told that nothing is there. */
export function mountFrontPage(router: Router<ApiState>): void {
  router.get('/', (koa, next) => {
    koa.vary('Accept');
    if (koa.accepts('json', 'html') !== 'html') return next();
    koa.set(docsHeaders);
    koa.vary('Accept-Language');
    koa.body = pages[preferredLanguage(languages, koa.get('Accept-Language')) ?? 'en'];
  });
}

const pageIn = (language: Language): string => {
  const { title, person, developer, docs } = texts[language];
  return shell(
    { language, title, styles: [links.stylesheet], scripts: [], icon: links.icon },
    html`<main><h1>${title}</h1><p>${person}</p><p>${developer} <a href="/docs">${docs}</a>.</p></main>`,
  );
};
const pages: Record<Language, string> = { en: pageIn('en'), nl: pageIn('nl') };
