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
  timingSafeEqual,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { randomToken } from './random.ts';

/** A UUIDv7 begins with the time, so new rows are adjacent in an index. Rows must not be sorted by a UUIDv7 alone (decision 3). */
export const newUuid = (): string => randomUUIDv7();

/** A UUID that is smaller than each UUIDv7 from this time on, and greater than each earlier one. */
export function uuidOfTime(at: Date): string {
  const time = Math.max(at.getTime(), 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The time with which a UUIDv7 begins, in milliseconds since 1970. */
export const timeOfUuid = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** A UUID that follows from another one, always the same. It begins with the same time. */
export function uuidAbout(id: string, what: string): string {
  const rest = sha256Hex(`${what} ${id}`);
  return `${id.slice(0, 14)}7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** A public id consists of the prefix and 26 characters. The characters are a new UUIDv7 in base 32 (decision 3). */
export const newPublicId = (prefix: 'evt_' | 'req_' | 'dos_'): string =>
  prefix + inBase32(bytesOf(newUuid()));

/**
 * The id of the event of this type of a verification. It is always the same. So if the database is restored to an older state and
 * makes the event again, receivers recognise it. Like a UUIDv7 it begins with a time, which is that of the verification.
 */
export function eventIdOf(verificationId: string, type: string): string {
  const time = bytesOf(verificationId).subarray(0, timeBytes);
  return `evt_${inBase32(Buffer.concat([time, sha256(`${type} ${verificationId}`)]).subarray(0, idBytes))}`;
}

const idBytes = 16;
const timeBytes = 6;
const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** The 128 bits as 26 characters of Crockford's base 32. */
function inBase32(id: Buffer): string {
  let digits = '';
  let bits = 0;
  let held = 0;
  for (const byte of id) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) digits += base32[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return digits + base32[held << (5 - bits)];
}

/** The time that a public id begins with. Undefined if the text is no public id. */
export function timeOfPublicId(id: string): Date | undefined {
  const digits = /^[a-z]+_([0-9a-hjkmnp-tv-z]{26})$/.exec(id)?.[1];
  if (digits === undefined) return undefined;
  const first50Bits = Array.from(digits.slice(0, 10)).reduce(
    (bits, digit) => bits * 32 + base32.indexOf(digit),
    0,
  );
  return new Date(Math.floor(first50Bits / 4));
}

export const newWebhookSecret = (): string => `whsec_${randomToken(32)}`;

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** SHA-256 in hexadecimal. One call of `hash` is faster than `sha256(...).toString('hex')`. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** Compares in constant time, so that the time does not tell how much of a guess is right. Values of different lengths differ. */
export function isSameSecret(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [a, b] = [bytesIn(one), bytesIn(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const bytesIn = (value: string | Uint8Array) => (typeof value === 'string' ? Buffer.from(value) : value);

/** The purposes of keys. HKDF derives a separate key for each purpose from a key of SECRETS_KEY. */
export type Purpose =
  | 'webhook-secret'
  | 'stored-answer'
  | 'request-fingerprint'
  | 'link-token'
  | 'ledger-personal'
  | 'data-key'
  | 'command-personal'
  | 'evidence'
  | 'totp-secret'
  | 'eid-contract'
  | 'console-form'
  | 'console-browser'
  | 'password-salt'
  | 'receiver-answer'
  | 'attempt-heads'
  | 'movements'
  | 'temporal-payload';

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
    const parts = partsOf(value);
    return decrypt(keyFor(purpose, parts.id), binding, parts);
  };

  return {
    newestKeyId: newestId,
    /** The ids of all keys, newest first. */
    keyIds: ids,

    seal: (purpose: Purpose, binding: string, plain: string | Uint8Array): Buffer =>
      encrypt(keyFor(purpose, newestId), newestId, binding, plain),

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

/** In place of a key id: the value was sealed by the data key of its verification. */
const dataKeyId = '00000000';

/** The key of one verification. It seals what is stored of the person. Who destroys it has erased all of that. */
export type DataKey = ReturnType<typeof createDataKey>;

export function createDataKey(bytes: Buffer = randomBytes(dataKeyBytes)) {
  const key = createSecretKey(bytes);
  return {
    bytes,
    seal: (binding: string, plain: string | Uint8Array): Buffer => encrypt(key, dataKeyId, binding, plain),
    /** Throws if another key sealed the value, if the value was changed, or if the binding differs. */
    open: (binding: string, value: Buffer): Buffer => decrypt(key, binding, partsOf(value)),
  };
}

/** False if a key of SECRETS_KEY sealed the value. */
export const isSealedByDataKey = (value: Buffer): boolean => partsOf(value).id === dataKeyId;

const dataKeyBytes = 32;

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

function encrypt(key: KeyObject, id: string, binding: string, plain: string | Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
  const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain;
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([Buffer.from(id, 'hex'), iv, cipher.getAuthTag(), sealed]);
}

function decrypt(key: KeyObject, binding: string, { iv, tag, sealed }: ReturnType<typeof partsOf>): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(binding))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed), decipher.final()]);
}

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
