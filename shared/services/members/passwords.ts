import type { Context } from '../context.ts';

const saltBytes = 16;

/**
 * What the passwords of one address are hashed with. The salt is the same in all organisations, so a single hash answers for all members who
 * have the address. Nobody without SECRETS_KEY can compute it, so no table of guesses can be made ahead.
 */
export const saltedBy = (
  { secrets, passwordCost }: Pick<Context, 'secrets' | 'passwordCost'>,
  email: string,
) => ({
  salt: secrets.mac('password-salt', secrets.newestKeyId, email).subarray(0, saltBytes),
  cost: passwordCost,
});
