import { limits } from '#contract/limits.ts';

/** The texts of the document that belong to no row. Partners read them. */

export const introduction = `
Identity verification for your customers: start a verification, hand its \`verify_url\` to your end user, and learn the
verdict by a signed webhook or by asking.

**Environments.** The prefix of your key decides: \`svc_test_\` is sandbox, where you choose the verdict and nothing is
charged, \`svc_live_\` is live. Everything belongs to the organisation of the key; what is another's answers like what does
not exist.

**Requests.** Bodies are JSON in UTF-8, at most ${limits.bodySizeBytesMax / 1024} KiB. An unknown field is refused, so that a
misspelt one cannot go unseen. Timestamps are ISO 8601 in UTC.

**Repeating safely.** Send an \`Idempotency-Key\` where an operation has that header. Within ${limits.idempotencyRetentionHours} hours
the same key with the same body gives the same answer and creates nothing new. A 503 means that the outcome is unknown: repeat
the request with the same key to find out.

**Lists** are newest first. While \`has_more\` is true, send \`next_starting_after\` as \`starting_after\` for the next page.

**Limits.** ${limits.requestsPerMinute} requests a minute for each key, unless yours was given another number. Every answer says
what is left; a 429 says in \`Retry-After\` when to come again.

**Errors** all have one form, with a \`code\` for programs and a \`message\` for people. Quote \`request_id\` when you ask us
something.
`.trim();

export const tags = [
  { name: 'Verifications', description: 'One verification is one end user proving who they are, once.' },
  {
    name: 'Webhooks',
    description: `Where events are sent, and what they say. A delivery is tried at most ${limits.deliveryAttemptsMax} times over about eight hours.`,
  },
  {
    name: 'Webhook operations',
    description:
      'See what was sent to an endpoint and what came of it, send a test event, send an event again, renew the secret.',
  },
  { name: 'Service', description: 'The service itself.' },
];

export const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Your API key: `Authorization: Bearer svc_test_…` in sandbox, `svc_live_…` in live. The key says which organisation and environment it is for; each operation names the scope that it needs.',
} as const;
