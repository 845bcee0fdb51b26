import canonicalize from 'canonicalize';

/** JSON by RFC 8785: equal values give equal bytes, in whatever order their keys are. Throws if the value is not JSON. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('not a JSON value');
  return text;
}
