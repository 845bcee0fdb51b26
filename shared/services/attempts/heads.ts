import { deliveryHeaders } from '#contract/events.ts';
import { hostHeader, requestLine } from '#platform/outbound/exchange.ts';
import type { Posted } from '#platform/outbound/http.ts';
import type { Context } from '../context.ts';
import { attemptBinding } from './answers.ts';
import { sentHeaders } from './headers.ts';
import { type KeptHeaders, keptHeaders } from './kept-headers.ts';

/** What is stored of the headers of one attempt. */
type Heads = {
  /** Only those that do not follow from the delivery. */
  sent: Readonly<Record<string, string>>;
  /** Null if there was no answer. */
  answered: ({ version: string } & KeptHeaders) | null;
};

/** The headers that each attempt has of its own. */
const ownHeaders = ['connection', deliveryHeaders.signature, 'content-length'] as const;

/** Null if nothing was sent. */
export function sealedHeads(
  { secrets }: Pick<Context, 'secrets'>,
  { deliveryId, number }: { deliveryId: string; number: number },
  posted: Posted,
): Buffer | null {
  if (posted.sent === null) return null;
  const { sent } = posted;
  const heads: Heads = {
    sent: Object.fromEntries(ownHeaders.map((name) => [name, beginningsOnly(sent[name] ?? '')])),
    answered: posted.answered ? { version: posted.version, ...keptHeaders(posted.lines) } : null,
  };
  return secrets.seal('attempt-heads', attemptBinding(deliveryId, number), JSON.stringify(heads));
}

/**
 * Of each signature the first eight of its 64 digits. They tell a developer whether their own computation gives the same, and with which
 * of two secrets. A whole signature, with its time and the body, would be accepted by the receiver for five minutes from whoever has it:
 * from a reader of the database, or of a picture of the page.
 */
const beginningsOnly = (value: string): string => value.replaceAll(/(?<=v1=[\da-f]{8})[\da-f]+/g, '…');

type Sent = { url: string; eventType: string; eventId: string };

/** The headers of one attempt, for who may see what was said. */
export type ShownHeads = {
  /** For example `POST /hooks HTTP/1.1`. */
  requestLine: string;
  sent: readonly (readonly [name: string, value: string])[];
  answered: Heads['answered'];
};

/** Undefined if housekeeping or an erasure removed them, or an earlier version made the attempt. */
export function openHeads(
  { secrets }: Pick<Context, 'secrets'>,
  delivery: Sent & { id: string },
  { number, heads }: { number: number; heads: Buffer | null },
): ShownHeads | undefined {
  if (heads === null) return undefined;
  const opened = secrets.open('attempt-heads', attemptBinding(delivery.id, number), heads);
  const { sent, answered }: Heads = JSON.parse(opened);
  const url = new URL(delivery.url);
  const { connection = '', ...others } = sent;
  const all = { host: hostHeader(url), connection, ...sentHeaders(delivery), ...others };
  return { requestLine: requestLine(url), sent: Object.entries(all), answered };
}
