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

/** Time-ordered, for index locality; not a sort key by itself (decision 3). */
export const newUuid = (): string => randomUUIDv7();

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** `prefix` + 26 characters: a fresh UUIDv7's 128 bits in Crockford's base 32 (decision 3). */
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

/** The same in letters, which cost less than bytes that are turned into them. */
export const sha256Hex = (data: string): string => hash('sha256', data, 'hex');

/** What a key derived from SECRETS_KEY is for: each purpose has a key of its own. */
export type Purpose = 'webhook-secret' | 'stored-answer' | 'link-token' | 'ledger-personal' | 'evidence';

const ivBytes = 12;
const tagBytes = 16;
const tokensMax = 10_000;
const keyIdBytes = 4;

/**
 * Everything that SECRETS_KEY protects. The newest key seals; each sealed value names its key, so an older one still
 * opens what it sealed. `context` binds a value to its row: moved to another row it does not open.
 */
export type Secrets = ReturnType<typeof createSecrets>;

export function createSecrets(masterKeys: readonly Buffer[]) {
  const keys = new Map(masterKeys.map((key) => [keyId(key), key]));
  const newest = masterKeys[0];
  if (newest === undefined) throw new Error('at least one secrets key is needed');
  const newestId = keyId(newest);

  // As a key object: preparing one from bytes costs four times the HMAC itself.
  const derived = new Map<string, KeyObject>();
  // Whoever polls reads the same links over and over.
  const tokens = new LRUCache<string, string>({ max: tokensMax });
  const keyFor = (purpose: Purpose, id: string): KeyObject => {
    const master = keys.get(id);
    if (master === undefined) throw new Error('sealed with a key that SECRETS_KEY no longer holds');
    const label = `${purpose}/${id}`;
    const known =
      derived.get(label) ?? createSecretKey(new Uint8Array(hkdfSync('sha256', master, '', purpose, 32)));
    derived.set(label, known);
    return known;
  };
  const mac = (purpose: Purpose, id: string, data: string): Buffer =>
    createHmac('sha256', keyFor(purpose, id)).update(data).digest();

  const openBytes = (purpose: Purpose, context: string, value: Buffer): Buffer => {
    const id = value.subarray(0, keyIdBytes).toString('hex');
    const iv = value.subarray(keyIdBytes, keyIdBytes + ivBytes);
    const tag = value.subarray(keyIdBytes + ivBytes, keyIdBytes + ivBytes + tagBytes);
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose, id), iv)
      .setAAD(Buffer.from(context))
      .setAuthTag(tag);
    const sealed = value.subarray(keyIdBytes + ivBytes + tagBytes);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  };

  return {
    newestKeyId: newestId,
    /** Of every key that is held, newest first. */
    keyIds: [...keys.keys()] as readonly string[],

    seal(purpose: Purpose, context: string, plain: string | Uint8Array): Buffer {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose, newestId), iv).setAAD(
        Buffer.from(context),
      );
      const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain;
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([Buffer.from(newestId, 'hex'), iv, cipher.getAuthTag(), sealed]);
    },

    open: (purpose: Purpose, context: string, value: Buffer): string =>
      openBytes(purpose, context, value).toString('utf8'),

    openBytes,

    mac,

    /** A uuid's 16 bytes and an HMAC over `uuid/version`, in base64url: it names its row, and nobody can guess it. */
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

const keyId = (masterKey: Buffer): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'key-id', keyIdBytes)).toString('hex');
