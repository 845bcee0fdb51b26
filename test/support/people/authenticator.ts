import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

const userPresent = 0x01;
const userVerified = 0x04;
const hasKey = 0x40;

/** What a device or a hostile program says in its answer. Everything is right by default. */
export type Said = {
  origin?: string;
  host?: string;
  type?: string;
  isVerified?: boolean;
  counter?: number;
  userHandle?: Buffer;
  /** The challenge that the answer is about. */
  challenge?: string;
};

/** The key of COSE (RFC 9052) for an elliptic curve: a map of five small numbers and two coordinates. */
function coseKeyOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (value: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')]);
  const [begin, before] = [Buffer.from('a5010203262001' + '21', 'hex'), Buffer.from('22', 'hex')];
  return Buffer.concat([begin, coordinate(x), before, coordinate(y)]);
}

/** The CBOR of an answer without attestation: `fmt`, `attStmt` and `authData`. */
function attestationOf(data: Buffer): Buffer {
  const length = Buffer.from([0x59, data.length >> 8, data.length & 0xff]);
  const begin = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData', 'latin1');
  return Buffer.concat([begin, length, data]);
}

/** A device that holds one passkey, as a program. It says whatever a test wants. */
export function newAuthenticator({ origin, host }: { origin: string; host: string }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = sha256(randomUUID());

  const clientDataOf = (type: string, said: Said & { challenge: string }) =>
    JSON.stringify({
      type: said.type ?? type,
      challenge: base64url(said.challenge),
      origin: said.origin ?? origin,
      crossOrigin: false,
    });
  const authDataOf = ({ host: saidHost = host, isVerified = true, counter = 0 }: Said, key?: Buffer) => {
    const flags = userPresent | (isVerified ? userVerified : 0) | (key === undefined ? 0 : hasKey);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(saidHost), Buffer.from([flags]), counted, key ?? Buffer.alloc(0)]);
  };
  const answer = (response: Record<string, string>) =>
    JSON.stringify({
      ...{ id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' },
      ...{ response, clientExtensionResults: {} },
    });

  return {
    credentialId,
    /** The answer to a request for a new passkey. */
    create(token: string, said: Said = {}): string {
      const length = Buffer.from([0, credentialId.length]);
      const key = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKeyOf(publicKey)]);
      const clientData = clientDataOf('webauthn.create', { challenge: token, ...said });
      return answer({
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestationOf(authDataOf(said, key))),
      });
    },
    /** The answer to a request to sign in. */
    get(token: string, said: Said = {}): string {
      const clientData = clientDataOf('webauthn.get', { challenge: token, ...said });
      const data = authDataOf(said);
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
      return answer({
        ...{ clientDataJSON: base64url(clientData), authenticatorData: base64url(data) },
        signature: base64url(signature),
        ...(said.userHandle && { userHandle: base64url(said.userHandle) }),
      });
    },
  };
}
export type Authenticator = ReturnType<typeof newAuthenticator>;
