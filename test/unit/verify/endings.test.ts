import { expect, test } from 'vitest';
import { texts } from '#api/verify/texts/texts.ts';
import { allMethods, decisionRules } from '#contract/enums.ts';
import { pageOf } from '#test/support/people/link.ts';

const languages = ['en', 'nl'] as const;
const cases = languages.flatMap((language) => decisionRules.map((rule) => ({ language, rule })));

test.each(cases)(
  'after Send, by the rule $rule, the page says in $language that it may be closed and who tells the result',
  ({ language, rule }) => {
    const { close, sameLink } = texts[language].checking;
    const page = pageOf({ step: 'checking', rule }, language);
    expect(page).toContain(close('Acme'));
    expect(page.includes(` ${sameLink}`)).toBe(rule !== 'people');
  },
);

test('who tells the result, and what the link tells, is said in so many words', () => {
  const { en, nl } = texts;
  expect(en.checking.close('Acme')).toMatch(/you can close this page\. Acme .* tells you the outcome\.$/);
  expect(nl.checking.close('Acme')).toMatch(/u kunt deze pagina sluiten\. Acme .* vertelt u de uitkomst\.$/);
  expect(en.checking.sameLink).toMatch(/computer rejects .* this same link/);
  expect(nl.checking.sameLink).toMatch(/computer .* via deze link/);
});

/** Words for what is handed in. What a person cannot have handed in, a page does not speak of. */
const words = {
  en: { pictures: /photos/, papers: /documents/, nothing: /bank/ },
  nl: { pictures: /foto’s/, papers: /documenten/, nothing: /bank/ },
} as const;
const handedIn = { income: 'papers', idin: 'nothing' } as Partial<Record<string, 'papers' | 'nothing'>>;

test.each(languages.flatMap((language) => allMethods.map((method) => ({ language, method }))))(
  'in $language the pages after an end of $method speak of what is handed in there',
  ({ language, method }) => {
    const expected = handedIn[method] ?? 'pictures';
    const ends = [pageOf({ step: 'expired', method }, language)];
    ends.push(pageOf({ step: 'cancelled', method, withdrawnAt: new Date(0) }, language));
    for (const page of ends) {
      const [, main = ''] = page.split('<main');
      const told = Object.entries(words[language]).filter(([, word]) => word.test(main));
      expect(told.map(([name]) => name)).toEqual([expected]);
    }
  },
);
