import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { ApiContext } from '../state.ts';

type Bytes = Buffer<ArrayBuffer>;

/**
 * Returns the bytes of a body, which may be empty. If a body is not empty, its headers must declare JSON in UTF-8 (decision 18).
 */
export async function jsonBytes(koa: ApiContext): Promise<Bytes> {
  const bytes = await bodyBytes(koa, limits.bodySizeBytesMax);
  if (bytes.length > 0 && !isJson(koa.get('Content-Type'), koa.get('Content-Encoding')))
    throw new Problem('unsupported_media_type');
  return bytes;
}

/** Returns the bytes of a body of any type. A body above the limit is refused as soon as its size is known. */
export const bodyBytes = (koa: ApiContext, sizeBytesMax: number): Promise<Bytes> =>
  readBytes(koa.req, sizeBytesMax).catch((error: unknown) => {
    // The rest of the body is read and dropped, since the next request on this connection comes after it.
    koa.req.resume();
    // An error that is no Problem means that the caller closed the connection. That is not an error on our side.
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
