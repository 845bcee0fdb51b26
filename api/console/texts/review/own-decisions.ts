import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Your decisions',
  none: 'You have not decided anything in this environment yet.',
  when: 'When',
  yours: 'Your decision',
  now: 'Outcome now',
};

const nl: typeof en = {
  title: 'Uw beslissingen',
  none: 'U heeft in deze omgeving nog niets beslist.',
  when: 'Wanneer',
  yours: 'Uw beslissing',
  now: 'Uitkomst nu',
};

export const ownDecisionTexts: Record<Language, typeof en> = { en, nl };
