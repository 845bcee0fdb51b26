import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { ApiContext } from '../state.ts';

type Bytes = Buffer<ArrayBuffer>;

/** The body as it came (decision 18). No body is no body; whatever else is not JSON by its headers is refused, never guessed at. */
export async function jsonBytes(koa: ApiContext): Promise<Bytes> {
  const bytes = await bodyBytes(koa, limits.bodySizeBytesMax);
  if (bytes.length > 0 && !isJson(koa.get('Content-Type'), koa.get('Content-Encoding')))
    throw new Problem('unsupported_media_type');
  return bytes;
}

/** The body as it came; one that is larger is refused as soon as that is known. */
export const bodyBytes = (koa: ApiContext, sizeBytesMax: number): Promise<Bytes> =>
  readBytes(koa.req, sizeBytesMax).catch((error: unknown) => {
    // What is left of a body that was read in part would keep the next request of its connection waiting.
    koa.req.resume();
    // Whoever hung up half-way reads no answer; it is no fault of ours.
    throw error instanceof Problem ? error : new Problem('malformed_request');
  });

async function readBytes(request: IncomingMessage, sizeBytesMax: number): Promise<Bytes> {
  if (Number(request.headers['content-length'] ?? 0) > sizeBytesMax) throw new Problem('body_too_large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > sizeBytesMax) throw new Problem('body_too_large');
  }
  return Buffer.concat(chunks);
}

function isJson(contentType: string, contentEncoding: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter),
  );
  return type === 'application/json' && isUtf8 && (contentEncoding === '' || contentEncoding === 'identity');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Problem('invalid_json');
  }
}
