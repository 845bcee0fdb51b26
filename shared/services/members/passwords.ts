import type { Secrets } from '#platform/crypto.ts';

const saltBytes = 16;

/**
 * The salt of the passwords of one address. It is the same in all organisations, so a single hash answers for all members who have the
 * address. Nobody without SECRETS_KEY can compute it, so no table of guesses can be made ahead.
 */
export const saltOf = ({ secrets }: { secrets: Pick<Secrets, 'mac' | 'newestKeyId'> }, email: string) =>
  secrets.mac('password-salt', secrets.newestKeyId, email).subarray(0, saltBytes);
