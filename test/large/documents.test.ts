import { afterAll, expect, test } from 'vitest';
import { allPassed, checksBy } from '#test/integration/checks/words.ts';
import { documentReader } from '#test/support/examiners/document-reader.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { variants } from '#test/support/specimens/variants.ts';

const reader = await documentReader();
const { saidOf } = checksBy(reader);
afterAll(() => reader.close());

/** Further ways to photograph a passport, beside those of `test/integration/checks`. */
test.each([
  'turned by 5 degrees',
  'on its side',
  'upside down',
  'JPEG of quality 15',
  'a fifth of the light',
] as const)('a passport as it should be passes, %s', async (variant) => {
  await expect(saidOf({ format: 'TD3', person: eriksson }, variants[variant])).resolves.toEqual(allPassed);
});
