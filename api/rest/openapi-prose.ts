import { limits } from '#contract/limits.ts';

/** Texts of the document that belong to no single endpoint. Partners read these texts. */

export const introduction = `
Identity verification for your customers. Start a verification and give its \`verify_url\` to your end user. You receive the
verdict by a signed webhook, or you poll for it.

**Environments.** The prefix of your key selects the environment. \`svc_test_\` is sandbox: you choose the verdict, and nothing
is charged. \`svc_live_\` is live. A key reaches only the data of its own organisation; the data of others is answered as if it
did not exist.

**Requests.** Bodies are JSON in UTF-8, at most ${limits.bodySizeBytesMax / 1024} KiB beside the documents of an income check. An unknown field is refused, so that a
misspelt one is noticed. Timestamps are ISO 8601 in UTC.

**Safe retries.** Send an \`Idempotency-Key\` with every operation that has this header. For ${limits.idempotencyRetentionHours} hours the
same key with the same body returns the same answer and creates nothing new. A 503 means that the outcome is unknown: repeat the
request with the same key to find out.

**Lists** start with the newest row. While \`has_more\` is true, send \`next_starting_after\` as \`starting_after\` to get the next
page.

**Rate limit.** ${limits.requestsPerMinute} requests per minute for each key, unless another number was agreed. Every answer says how
many are left. A 429 says in \`Retry-After\` how long to wait.

**Errors** all have the same form: \`code\` is for programs, \`message\` for people. Quote \`request_id\` when you contact us.
`.trim();

export const tags = [
  { name: 'Verifications', description: 'In a verification one end user proves their identity once.' },
  {
    name: 'Verification operations',
    description: "Cancel a verification, replace its link, erase its person's data.",
  },
  {
    name: 'Income checks',
    description:
      'In an income check one end user hands in documents about their income, and hears nothing of what they say.',
  },
  {
    name: 'Income check operations',
    description: "Complete it in sandbox, cancel it, replace its link, erase its person's data.",
  },
  {
    name: 'Webhooks',
    description: `Endpoints that receive events, and the events themselves. A delivery has at most ${limits.deliveryAttemptsMax} attempts over about eight hours.`,
  },
  {
    name: 'Webhook operations',
    description:
      'List deliveries with their attempts, send a test event, resend an event, rotate the secret.',
  },
  { name: 'Service', description: 'The service itself.' },
];

export const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Your API key: `Authorization: Bearer svc_test_…` in sandbox, `svc_live_…` in live. The key belongs to one organisation and one environment. Each operation names the scope that it needs.',
} as const;
