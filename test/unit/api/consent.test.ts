import { expect, test } from 'vitest';
import { texts } from '#api/verify/texts.ts';
import { methods } from '#contract/enums.ts';
import { sha256 } from '#platform/crypto.ts';
import { consentVersion } from '#services/flow/commands.ts';

/** The digest of the text that people agreed to under each version. The ledger names only the version. */
const digests: Record<number, string> = {
  1: '474d3ff6b0b7a37c89773d2d8c21c791c50890cd623df0418f2c380bfd5f6a87',
};

test('what people agree to is what its version says: another text is another version', () => {
  const agreed = Object.values(texts).map(({ welcome }) =>
    methods.map((method) => [
      welcome.privacy[method]('Organisation'),
      welcome.consent[method]('Organisation'),
    ]),
  );
  expect(sha256(JSON.stringify(agreed)).toString('hex')).toBe(digests[consentVersion]);
});
