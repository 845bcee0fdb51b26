import { expect, test } from 'vitest';
import { texts } from '#api/verify/texts/texts.ts';
import { allMethods, consentItems, decisionRules } from '#contract/enums.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { keptForEndUsers } from '#policy/retention.ts';
import { consentVersion } from '#services/flow/consent.ts';

/** The digest of the text that people agreed to under each version. The ledger names only the version. */
const digests: Record<number, string> = {
  1: '474d3ff6b0b7a37c89773d2d8c21c791c50890cd623df0418f2c380bfd5f6a87',
  2: 'b8d241e1ab1ade64a52a7316c21924d6892b30ea0af9ff1e26091e506736475f',
  3: 'ca7683beed3c90ef76561e9e3682ffb8f5eddc6e99f2cc9bb7366f543687a9eb',
  4: '4484093a86d1450eac6590f89a30bbc9d120f3a70d3b639c9ae71b0980f38306',
  5: '5289acb45d24b2661366b9997ab09e827b1e01a9e3af04bb6cc1cde8a962ee78',
  6: '3ab45cf87a9a497a1e9743991023e98946d4f651b6ab88629231914d1a11a35c',
  7: '98cf9f4266c58fbe57387e743fde39060c4559e882f49e7093243a815a161b32',
  8: 'ed831f5b10e31ee64fd6ece8bf0403116bb10f877a07cf3d6c8fad6e13a38c9d',
  9: '63dc280086e2a5093f0dc2ddfd80c66107e3ad7016372f0aee7bccb1680daf3a',
  10: 'a6b3384eb3fc4d5b14bf3e85af91b13b9c534468b1a0c8cdb66eec6f5c9c26e8',
};

const kept = { pictureDays: 30, unfinishedDays: 90, resultYears: 5 };

test('what people agree to is what its version says: another text is another version', () => {
  const agreed = Object.values(texts).map(({ welcome }) => [
    ...allMethods.map((method) => welcome.use[method]('Organisation')),
    ...decisionRules.flatMap((rule) => [
      welcome.decision[rule]('Organisation'),
      welcome.papersDecision[rule]('Organisation'),
    ]),
    ...[true, false].map((coversPhoto) => welcome.copy(coversPhoto)),
    ...Object.values(welcome.kept).map((text) => text(kept)),
    ...[welcome.brief.title, welcome.brief.noPictures, welcome.brief.covered, welcome.brief.pictures(kept)],
    ...[welcome.brief.noPapers, welcome.brief.coveredPapers, welcome.brief.papers(kept)],
    welcome.brief.result(kept, 'Organisation'),
    ...Object.values(welcome.brief.use).map((text) => text('Organisation')),
    ...[welcome.rights('Organisation'), welcome.complaint],
    ...consentItems.map((item) => welcome.consent[item]('Organisation')),
  ]);
  expect(sha256(JSON.stringify(agreed)).toString('hex')).toBe(digests[consentVersion]);
});

test('the page says how long housekeeping keeps the data', () => {
  expect(keptForEndUsers(30)).toEqual(kept);
});
