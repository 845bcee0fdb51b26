import { plainFingerprintBytes } from '#store/requests.ts';
import type { Context } from '../context.ts';

type Secrets = Pick<Context, 'secrets'>;
type Stored = { id: string; fingerprint: Buffer };

/** Binds a sealed fingerprint to its request, so that it cannot be opened for another one. */
export const fingerprintBinding = (requestId: string): string => `fingerprint/${requestId}`;

/**
 * A body is short, so a hash of it alone would let whoever has the database confirm a guess, also after an erasure. So it is stored
 * encrypted. It is emptied when nothing compares it any more.
 */
export const sealedFingerprint = ({ secrets }: Secrets, requestId: string, fingerprint: Buffer): Buffer =>
  secrets.seal('request-fingerprint', fingerprintBinding(requestId), fingerprint);

export const hasFingerprint = (ctx: Secrets, stored: Stored, fingerprint: Buffer): boolean =>
  stored.fingerprint.length > 0 && openFingerprint(ctx, stored).equals(fingerprint);

const openFingerprint = ({ secrets }: Secrets, { id, fingerprint }: Stored): Buffer =>
  fingerprint.length === plainFingerprintBytes
    ? fingerprint
    : secrets.openBytes('request-fingerprint', fingerprintBinding(id), fingerprint);

export const noFingerprint: Buffer = Buffer.alloc(0);
