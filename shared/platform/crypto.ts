import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomUUIDv7,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A UUIDv7 begins with the time, so new rows are adjacent in an index. Rows must not be sorted by a UUIDv7 alone (decision 3). */
export const newUuid = (): string => randomUUIDv7();

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A public id consists of the prefix and 26 characters. The characters are the 128 bits of a new UUIDv7 in Crockford's base 32
 * (decision 3).
 */
export function newPublicId(prefix: 'evt_' | 'req_' | 'dos_'): string {
  let digits = '';
  let bits = 0;
  let held = 0;
  for (const byte of Buffer.from(newUuid().replaceAll('-', ''), 'hex')) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) digits += base32[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return prefix + digits + base32[held << (5 - bits)];
}

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** SHA-256 in hexadecimal. One call of `hash` is faster than `sha256(...).toString('hex')`. */
export const sha256Hex = (data: string): string => hash('sha256', data, 'hex');

/** The purposes of keys. HKDF derives a separate key for each purpose from a key of SECRETS_KEY. */
export type Purpose = 'webhook-secret' | 'stored-answer' | 'link-token' | 'ledger-personal' | 'evidence';

const ivBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;
const tokensMax = 10_000;

/**
 * Encrypts values and makes tokens with the keys of SECRETS_KEY. Encryption (AES-256-GCM) uses the newest key. A sealed value
 * contains the id of its key, so a value that an older key sealed can still be opened. `binding` names the row of a value. If a
 * value was copied to another row, `open` throws.
 */
export type Secrets = ReturnType<typeof createSecrets>;

/** `masterKeys`: at least one key of 32 bytes, newest first. */
export function createSecrets(masterKeys: readonly Buffer[]) {
  const { ids, newestId, keyFor } = keyRing(masterKeys);
  // The cache helps clients that poll, since they read the same links many times.
  const tokens = new LRUCache<string, string>({ max: tokensMax });

  const mac = (purpose: Purpose, id: string, data: string): Buffer =>
    createHmac('sha256', keyFor(purpose, id)).update(data).digest();

  const openBytes = (purpose: Purpose, binding: string, value: Buffer): Buffer => {
    const { id, iv, tag, sealed } = partsOf(value);
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose, id), iv)
      .setAAD(Buffer.from(binding))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  };

  return {
    newestKeyId: newestId,
    /** The ids of all keys, newest first. */
    keyIds: ids,

    seal(purpose: Purpose, binding: string, plain: string | Uint8Array): Buffer {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose, newestId), iv).setAAD(
        Buffer.from(binding),
      );
      const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain;
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([Buffer.from(newestId, 'hex'), iv, cipher.getAuthTag(), sealed]);
    },

    /**
     * Throws if SECRETS_KEY no longer contains the key, if the value was changed, or if the binding differs.
     */
    open: (purpose: Purpose, binding: string, value: Buffer): string =>
      openBytes(purpose, binding, value).toString('utf8'),

    openBytes,

    mac,

    /**
     * Returns a token in base64url. The token contains the 16 bytes of the UUID, then an HMAC over `uuid/version`. The UUID
     * identifies the row. The HMAC makes the token impossible to guess.
     */
    token(purpose: Purpose, id: string, uuid: string, version: number): string {
      const name = `${purpose}/${id}/${uuid}/${version}`;
      const known = tokens.get(name);
      if (known !== undefined) return known;
      const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
      const token = Buffer.concat([bytes, mac(purpose, id, `${uuid}/${version}`)]).toString('base64url');
      tokens.set(name, token);
      return token;
    },
  };
}

function keyRing(masterKeys: readonly Buffer[]) {
  const keys = new Map(masterKeys.map((key) => [keyId(key), key]));
  const newest = masterKeys[0];
  if (newest === undefined) throw new Error('at least one secrets key is needed');
  // The derived keys are cached as key objects, since creating a key object takes four times as long as the HMAC.
  const derived = new Map<string, KeyObject>();

  function keyFor(purpose: Purpose, id: string): KeyObject {
    const master = keys.get(id);
    if (master === undefined) throw new Error('sealed with a key that SECRETS_KEY no longer holds');
    const label = `${purpose}/${id}`;
    const known =
      derived.get(label) ?? createSecretKey(new Uint8Array(hkdfSync('sha256', master, '', purpose, 32)));
    derived.set(label, known);
    return known;
  }

  return { ids: [...keys.keys()] as readonly string[], newestId: keyId(newest), keyFor };
}

const keyId = (masterKey: Buffer): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'key-id', keyIdBytes)).toString('hex');

/** A sealed value contains the key id, the initialisation vector, the authentication tag and the ciphertext, in this order. */
function partsOf(value: Buffer) {
  const ivEnd = keyIdBytes + ivBytes;
  const tagEnd = ivEnd + tagBytes;
  return {
    id: value.subarray(0, keyIdBytes).toString('hex'),
    iv: value.subarray(keyIdBytes, ivEnd),
    tag: value.subarray(ivEnd, tagEnd),
    sealed: value.subarray(tagEnd),
  };
}
