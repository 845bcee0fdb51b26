import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { EidFault } from '../port.ts';

const ivBytes = 16;
const keyBytes = 32;

/**
 * Opens one value that a bank encrypted: RSA-OAEP with SHA-1 for the key, AES-256-CBC for the value. Only values under a verified
 * signature may be opened, because CBC without a signature would answer questions about its padding. Throws `EidFault`.
 */
export function decrypted({ key, value }: { key: string; value: string }, privateKey: string): string {
  try {
    const oaep = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' };
    const secret = privateDecrypt(oaep, Buffer.from(key, 'base64'));
    const bytes = Buffer.from(value, 'base64');
    if (secret.length !== keyBytes) throw new Error('another key');
    const decipher = createDecipheriv('aes-256-cbc', secret, bytes.subarray(0, ivBytes)).setAutoPadding(
      false,
    );
    const padded = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]);
    // XML encryption gives only the last byte of the padding a meaning.
    const padding = padded.at(-1) ?? 0;
    if (padding < 1 || padding > ivBytes) throw new Error('no padding');
    return new TextDecoder('utf-8', { fatal: true }).decode(padded.subarray(0, padded.length - padding));
  } catch {
    throw new EidFault('not_decryptable');
  }
}
