import { Worker } from 'node:worker_threads';
import { Problem } from '#contract/errors.ts';
import { paperLimits } from '#contract/income/papers.ts';
import { limits } from '#contract/limits.ts';
import { SentFile } from '#contract/sent-file.ts';
import { randomToken } from '#platform/crypto/random.ts';
import { createFairQueue } from '#platform/limits/fair-queue.ts';
import { createArrivals } from '../arrivals.ts';
import type { GuardedRequest } from '../guarded-request.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext } from '../state.ts';
import { bodyBytes, parseJson, requireJson } from './body.ts';
import { type Content, contentOf } from './documents-parse.ts';
import type { Order, Parts } from './documents-thread.ts';

/** As many documents as an income check may have, in base64, and everything else. */
export const bodyWithDocumentsBytesMax =
  paperLimits.papersMax * Math.ceil(paperLimits.bytesMax / 3) * 4 + limits.bodySizeBytesMax;

/** A body takes up to 70 MB of memory until its documents are stored, and three times that while it is taken apart. */
const inPlace = createArrivals({ process: 4, organisation: 3 }, 'overloaded');
const inTurn = createFairQueue({ atOnceMax: 1, waitingPerOwnerMax: 4 });

const threadMs = 8_000;

/** True if the body says that it is larger than others may be. One of unknown length is read like any other. */
export const isLarge = ({ req: { headers } }: ApiContext): boolean =>
  Number(headers['content-length'] ?? 0) > limits.bodySizeBytesMax;

/**
 * Reads a large body, and calls `then` with its value, in which each document is a `SentFile`. It has its place in memory until `then` ends.
 * Throws `overloaded` if too many arrive.
 */
export function receiveLarge<Result>(
  ctx: Pick<ServerContext, 'instruments' | 'log'>,
  koa: ApiContext,
  owner: { orgId: string; environment: string },
  then: (value: unknown) => Promise<Result>,
): Promise<Result> {
  requireJson(koa);
  return inPlace(ctx, { owner, request: koa.req as GuardedRequest }, async () => {
    const body = await bodyBytes(koa, bodyWithDocumentsBytesMax);
    const mark = `${randomToken(16, 'hex')}:`;
    const parts = await inTurn(owner.orgId, () => partsInThread({ body, mark }));
    if (parts === undefined) throw tooLarge();
    return then(withDocuments(Buffer.from(parts.rest), { mark, contents: parts.contents }));
  });
}

/** The value of a body of the usual size, in which each document is a `SentFile`. */
export const parseWithDocuments = (body: Buffer): unknown => withDocuments(body, { mark: '', contents: [] });

type Cut = { mark: string; contents: readonly (Content | undefined)[] };

/** Puts documents in the place of their text. What is no base64 becomes empty text. */
function withDocuments(rest: Buffer, { mark, contents }: Cut): unknown {
  const value = parseJson(rest);
  const used = new Set<number>();
  let restBytes = rest.length;
  for (const document of documentsIn(value)) {
    const text = document.content_base64;
    if (typeof text !== 'string') continue;
    const place = mark !== '' && text.startsWith(mark) ? Number(text.slice(mark.length)) : undefined;
    if (place === undefined) restBytes -= text.length;
    else used.add(place);
    const content = place === undefined ? contentOf(Buffer.from(text)) : contents[place];
    if (content !== undefined && content.bytes.length > paperLimits.bytesMax) throw tooLarge();
    document.content_base64 = content && new SentFile(Buffer.from(content.bytes.buffer), content.sha256);
  }
  if (used.size < contents.length || restBytes > limits.bodySizeBytesMax) throw tooLarge();
  return value;
}

function documentsIn(value: unknown): Record<string, unknown>[] {
  const { documents } = (value ?? {}) as { documents?: unknown };
  return Array.isArray(documents)
    ? documents.filter((each) => typeof each === 'object' && each !== null)
    : [];
}

/** Taking a large body apart takes up to half a second of processor time, so it has a thread. */
async function partsInThread(order: Order): Promise<Parts> {
  const thread = new Worker(new URL('./documents-thread.ts', import.meta.url), {
    ...{ env: {}, execArgv: [], workerData: order, transferList: [order.body.buffer] },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Parts>();
  const late = setTimeout(() => reject(new Problem('overloaded')), threadMs);
  thread.on('message', resolve).on('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}

const tooLarge = () =>
  new Problem(
    'body_too_large',
    `A document is larger than ${paperLimits.bytesMax / 1_000_000} MB, or the rest of the body larger than ${limits.bodySizeBytesMax / 1_024} KiB.`,
  );
