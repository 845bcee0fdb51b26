import { expect, test } from 'vitest';
import { comparePassword, hashPassword, passwordMatches } from '#platform/sign-in/password.ts';
import { bytesOf } from '#test/support/seed.ts';

const salt = bytesOf('a salt', 16);
const password = 'violet tractor humming lantern';

test('a hash has the cost that OWASP advises, unless another one is asked for', async () => {
  const hash = await hashPassword(password, { salt });
  expect(hash).toMatch(/^scrypt\$131072\$8\$1\$/);
  expect(await passwordMatches(password, hash)).toBe(true);
  expect(await passwordMatches(`${password} `, hash)).toBe(false);
  const cheap = await hashPassword(password, { salt, cost: { N: 256, r: 8, p: 1 } });
  expect(cheap).toMatch(/^scrypt\$256\$8\$1\$/);
  const { isRight, fresh } = await comparePassword(password, { salt, stored: [hash] });
  expect([isRight, fresh]).toEqual([[true], hash]);
});
