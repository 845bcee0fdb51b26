import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785). Equal values give equal bytes, whatever the order of their keys. Throws if the
 * value is not JSON.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('not a JSON value');
  return text;
}
