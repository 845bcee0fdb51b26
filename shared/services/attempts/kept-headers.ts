/** A header of a receiver's answer. Null if its value is not kept. */
export type KeptHeader = readonly [name: string, value: string | null];

/** `left` is the number of lines of which nothing is kept. */
export type KeptHeaders = { headers: readonly KeptHeader[]; left: number };

const most = { headers: 30, valueLength: 200, bytes: 4_096 } as const;

/**
 * The headers whose values help to find a fault: who answered, what was answered, when to come back, and by which id the receiver or
 * the network before it finds the request in its own log. All others are kept by name alone. A list of what to leave out would have to
 * know every header that can carry a cookie, a token or a person, and strangers invent new ones.
 */
const telling = new Set([
  ...['age', 'allow', 'cache-control', 'connection', 'content-encoding', 'content-length', 'content-type'],
  ...['date', 'keep-alive', 'location', 'retry-after', 'server', 'server-timing', 'transfer-encoding', 'via'],
  ...['ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['request-id', 'x-request-id', 'x-correlation-id', 'x-trace-id', 'x-powered-by'],
  ...['cf-ray', 'cf-mitigated', 'cf-cache-status', 'fly-request-id', 'x-vercel-id', 'x-vercel-error'],
  ...['x-amz-apigw-id', 'x-amz-cf-id', 'x-amz-cf-pop', 'x-amzn-errortype'],
  ...['x-amzn-requestid', 'x-amzn-trace-id', 'x-cache', 'x-served-by'],
  ...['x-azure-ref', 'x-ms-request-id', 'x-cloud-trace-context', 'x-envoy-upstream-service-time'],
]);

/**
 * A name begins its line and is followed by the colon. So the second line of a folded header, which can be the rest of a cookie, is never
 * taken for a name.
 */
const headerLine = /^([\w!#$%&'*+.^`|~-]{1,64}):(.*)$/s;

/** Keeps of these lines, which a stranger wrote, what helps to find a fault. Their order stays, and so do repeated headers. */
export function keptHeaders(lines: readonly string[]): KeptHeaders {
  const headers: KeptHeader[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, most.headers)) {
    const [, written, rest = ''] = headerLine.exec(line) ?? [];
    if (written === undefined) continue;
    const name = written.toLowerCase();
    const value = telling.has(name) ? valueToKeep(name, rest) : null;
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value ?? '');
    if (bytes > most.bytes) break;
    headers.push([name, value]);
  }
  return { headers, left: lines.length - headers.length };
}

function valueToKeep(name: string, rest: string): string | null {
  const value = rest.trim();
  const told = name === 'location' ? placeIn(value) : value;
  return told === null ? null : printable(shortened(told));
}

/**
 * An address without its parameters, which can be a token or a reference of a person. With an at sign it can begin with a password, or
 * name somebody.
 */
function placeIn(address: string): string | null {
  const [place = ''] = address.split(/[?#;]/, 1);
  if (place.includes('@') || /%40/.test(place)) return null;
  return place === address ? place : `${place}…`;
}

const shortened = (value: string): string =>
  value.length <= most.valueLength ? value : `${value.slice(0, most.valueLength)}…`;

/** Anything else could hide something from who reads it. */
const printable = (value: string): string => value.replaceAll(/[^ -~…]/g, '\u{FFFD}');
