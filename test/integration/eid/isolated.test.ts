import { expect, test } from 'vitest';
import { reasonOf, simulated, walked } from '#test/support/people/idin.ts';

test('answers are read in processes of their own, which have no key and give the same results', async () => {
  const bank = await simulated({ isolated: true });
  expect(await walked(bank, { choice: 'success', persona: 'diacritics' })).toMatchObject({
    status: 'success',
    attributes: { legallastname: 'Öztürk-Čapek & Søn' },
  });
  expect(await reasonOf(walked(bank, { choice: 'success', fault: 'xsw-inside' }))).toBe('schema');
});
