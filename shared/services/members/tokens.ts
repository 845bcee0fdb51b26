import { sha256 } from '#platform/crypto/crypto.ts';
import { randomToken } from '#platform/crypto/random.ts';

const tokenBytes = 32;

/** A token of a session or of a link. Only its hash is stored. A slow hash is not needed, since nobody can guess 256 random bits. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomToken(tokenBytes);
  return { token, tokenHash: sha256(token) };
}

export const hashOfToken = (token: string): Buffer => sha256(token);
