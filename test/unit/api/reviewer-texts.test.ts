import { expect, test } from 'vitest';
import { texts } from '#api/console/texts/texts.ts';
import { reasonsOfReviewers } from '#policy/reviewer-reasons.ts';

const idsFor = (outcome: string) =>
  Object.entries(reasonsOfReviewers).flatMap(([id, reason]) => (reason.outcome === outcome ? [id] : []));

test.each(['nl', 'en'] as const)(
  'in %s, each reason of a reviewer has a text on the page of a review',
  (language) => {
    const { confirms, rejects } = texts[language].deciding;
    expect(Object.keys(confirms).sort()).toEqual(idsFor('approved').sort());
    expect(Object.keys(rejects).sort()).toEqual(idsFor('rejected').sort());
  },
);
