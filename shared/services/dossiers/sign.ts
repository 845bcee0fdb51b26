import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import type { Signer } from '#platform/crypto/ed25519.ts';
import type { Dossier, SignedDossier, UnsignedDossier } from './dossier.ts';

/** Keeps the signature of a dossier apart from that of a daily statement, which the same key signs. */
const purpose = 'verification-dossier/1\n';

export function signDossier(dossier: UnsignedDossier, signer: Signer): Dossier {
  const { format, header, ledger } = dossier;
  const statement: SignedDossier['statement'] = {
    format,
    verification_id: header.verification_id,
    made_at: header.made_at,
    lines: ledger.length,
    end: ledger.at(-1)?.hash ?? '',
    digests: digestsOf(dossier),
  };
  const signature = signer.sign(Buffer.from(purpose + canonicalJson(statement))).toString('hex');
  return { ...dossier, signed: { key: signer.fingerprint, statement, signature } };
}

/** SHA-256 of each field, by its path. The lines are left out, because each has a hash of its own. */
function digestsOf({ ledger: _, ...dossier }: UnsignedDossier): Record<string, string> {
  const fields = Object.entries(dossier).flatMap(([name, value]) => fieldsIn(name, value));
  return Object.fromEntries(fields.map(([path, value]) => [path, sha256Hex(canonicalJson(value))]));
}

/** One level deep: the fields of an object, the entries of a list, and everything else as it is. */
function fieldsIn(name: string, value: unknown): [path: string, value: unknown][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return inner.length === 0 ? [[name, value]] : inner.map(([key, each]) => [`${name}.${key}`, each]);
}

/**
 * The bytes of the file. The keys of every object are in order, so each dossier has one spelling only. `verify-dossier.mjs` accepts no
 * other, so that no byte can be changed unseen.
 */
export const dossierText = (dossier: Dossier): string => `${JSON.stringify(sorted(dossier), null, 2)}\n`;

const sorted = (value: unknown): unknown => JSON.parse(canonicalJson(value));
