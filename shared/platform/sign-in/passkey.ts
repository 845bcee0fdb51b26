import { isIP } from 'node:net';
import { z } from 'zod';
import { jsonOf } from '../json.ts';

/** Where passkeys are used. A device keeps its key for this host, and says from which origin it was asked. */
export type PasskeySite = { origin: string; host: string };

/** Undefined where browsers allow no passkeys: on an address without a name, and without TLS except on this machine. */
export function passkeySiteOf(url: string): PasskeySite | undefined {
  const { origin, hostname: host, protocol } = new URL(url);
  const isNamed = isIP(host.replace(/^\[|\]$/g, '')) === 0;
  return isNamed && (protocol === 'https:' || host === 'localhost') ? { origin, host } : undefined;
}

/** The algorithms that nearly all devices have: EdDSA, ES256 and RS256, by their numbers in COSE. */
const algorithms = [-8, -7, -257];
const timeoutMs = 300_000;
const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** What a browser needs to register a passkey, except for the challenge. `known`: the passkeys that the account already has. */
export const creationOptions = (
  { host }: PasskeySite,
  { userId, name, site, known }: { userId: string; name: string; site: string; known: readonly Buffer[] },
) => ({
  rp: { id: host, name: site },
  user: { id: nameOf(userHandleOf(userId)), name, displayName: name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: known.map((id) => ({ type: 'public-key', id: nameOf(id) })),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
  timeout: timeoutMs,
});

/** What a browser needs to sign in with any passkey of this host, except for the challenge. */
export const requestOptions = ({ host }: PasskeySite) => ({
  rpId: host,
  userVerification: 'required',
  timeout: timeoutMs,
});

/** The device keeps these bytes beside the key. They are the id alone, since some devices show them to everybody. */
const userHandleOf = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

const text = z.string().max(20_000);
const answer = { id: text, rawId: text, type: z.literal('public-key') };
const Registration = z.object({
  ...answer,
  response: z.object({ clientDataJSON: text, attestationObject: text }),
});
const Use = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
});

function parsed<Shape extends z.ZodType>(shape: Shape, given: string): z.output<Shape> | undefined {
  return shape.safeParse(jsonOf(given)).data;
}

/** `challenge` is the text that the form carried; the device signed its bytes. */
type Expected = { site: PasskeySite; challenge: string };

const expectedOf = ({ site, challenge }: Expected) => ({
  expectedChallenge: Buffer.from(challenge).toString('base64url'),
  expectedOrigin: site.origin,
  expectedRPID: site.host,
  requireUserVerification: true,
});

/** Loaded by the first passkey, since it takes a quarter of a second and 27 MB. */
const library = () => import('@simplewebauthn/server');

export type RegisteredPasskey = { credentialId: Buffer; publicKey: Buffer; counter: number };

/** Reads what a device says about a new passkey. Undefined if anything is wrong with it. */
export async function readRegistration(
  given: string,
  expected: Expected,
): Promise<RegisteredPasskey | undefined> {
  const response = parsed(Registration, given);
  if (response === undefined) return undefined;
  const { verifyRegistrationResponse } = await library();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectedOf(expected),
      response: { ...response, clientExtensionResults: {} },
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  } catch {
    // The message quotes what was sent.
    return undefined;
  }
}

/** The key with which somebody wants to sign in. Undefined if this is no answer of a device. */
export const credentialIn = (given: string): Buffer | undefined => {
  const id = parsed(Use, given)?.id;
  return id === undefined ? undefined : Buffer.from(id, 'base64url');
};

type Known = { memberId: string; credentialId: Buffer; publicKey: Buffer };

/**
 * Checks that the device of this passkey has answered the challenge, for this site, and that it has verified its user. Returns its
 * counter. Undefined if anything is wrong.
 */
export async function readPasskeyUse(
  given: string,
  expected: Expected,
  { memberId, credentialId, publicKey }: Known,
): Promise<{ counter: number } | undefined> {
  const use = parsed(Use, given);
  if (use === undefined || !belongsTo(use.response.userHandle, memberId)) return undefined;
  const { userHandle: _, ...response } = use.response;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedOf(expected),
      response: { ...use, response, clientExtensionResults: {} },
      // The library compares counters before the signature, so anybody could pretend a copy. With -1 it leaves that to the caller.
      credential: { id: nameOf(credentialId), publicKey: Uint8Array.from(publicKey), counter: -1 },
    });
    return verified ? { counter: authenticationInfo.newCounter } : undefined;
  } catch {
    return undefined;
  }
}

const belongsTo = (userHandle: string | null | undefined, userId: string): boolean =>
  userHandle == null || Buffer.from(userHandle, 'base64url').equals(userHandleOf(userId));
