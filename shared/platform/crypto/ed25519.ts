import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { sha256Hex } from './crypto.ts';

/** The start of a private key in PKCS #8 (RFC 8410, section 7). The 32 bytes of the key follow. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs with the newest of some Ed25519 keys (RFC 8032), and accepts the signatures of all of them. */
export type Signer = {
  /** The first 16 hexadecimal digits of the SHA-256 of the public half. */
  fingerprint: string;
  /** The public half as PEM, which other programs read. */
  publicKey: string;
  /** The public halves of all keys, the newest first. */
  publicKeys: readonly KeyObject[];
  sign(data: Buffer): Buffer;
  verify(data: Buffer, signature: Buffer): boolean;
};

/** `privateKeys` are at least one key of 32 random bytes, the newest first. */
export function createSigner(privateKeys: readonly Buffer[]): Signer {
  const pairs = privateKeys.map(pairOf);
  const [newest] = pairs;
  if (newest === undefined) throw new Error('at least one key is needed');
  const publicBytes = newest.publicKey.export({ format: 'der', type: 'spki' });
  return {
    fingerprint: sha256Hex(publicBytes).slice(0, 16),
    publicKey: newest.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    publicKeys: pairs.map(({ publicKey }) => publicKey),
    sign: (data) => sign(null, data, newest.privateKey),
    verify: (data, signature) => pairs.some(({ publicKey }) => verify(null, data, publicKey, signature)),
  };
}

function pairOf(privateBytes: Buffer) {
  const key = Buffer.concat([pkcs8Prefix, privateBytes]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
