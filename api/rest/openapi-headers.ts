import { limits } from '#contract/limits.ts';
import { exampleRequestId } from './examples.ts';

/** The headers of specification 4, 7 and 8 and of decision 21. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of this request. Quote it when you contact us.',
    required: true,
    schema: { type: 'string', pattern: '^req_' },
    example: exampleRequestId,
  },
  'X-RateLimit-Limit': {
    description:
      'The number of requests per minute: for the key, or for your IP address if no key was accepted.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: limits.requestsPerMinute,
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests left in this minute.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: limits.requestsPerMinute - 1,
  },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored answer to an earlier request with this Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'The scheme to authenticate with.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const;
export type Header = keyof typeof headers;

export const everyHeader: Header[] = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];
export const replayed: Header[] = ['Idempotent-Replayed'];
export const headersOfStatus: Record<number, Header[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export const refTo = (kind: 'headers' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});
export const refsToHeaders = (names: Header[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
