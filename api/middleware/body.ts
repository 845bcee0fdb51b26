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
  if (bytes.length > 0) requireJson(koa);
  return bytes;
}

/**
 * Refuses a body by its headers, without reading it: if it is longer than the limit, or if it is not declared as uncompressed
 * JSON in UTF-8.
 */
export function refuseByHeaders(koa: ApiContext): void {
  const declared = Number(koa.get('Content-Length') || 0);
  if (declared > limits.bodySizeBytesMax) throw new Problem('body_too_large');
  if (declared > 0) requireJson(koa);
}

/** Returns the bytes of a body of any type. A body above the limit is refused as soon as its size is known. */
export const bodyBytes = (koa: ApiContext, sizeBytesMax: number): Promise<Bytes> =>
  readBytes(koa.req, sizeBytesMax).catch((error: unknown) => {
    // The rest of the body is read and dropped, since the next request on this connection comes after it.
    koa.req.resume();
    // An error that is no Problem means that the connection ended before the body was complete. The caller closed it, or the server
    // refused the body. That is not an error on our side.
    throw error instanceof Problem ? error : new Problem('malformed_request');
  });

/**
 * The size of the first buffer, which is enough for most bodies of JSON. A picture needs a few larger buffers, one after the other.
 */
const firstBytes = 4 * 1024;

/** Copies every piece into one buffer, since the memory of many small pieces exceeds their bytes several hundred times. */
async function readBytes(request: IncomingMessage, sizeBytesMax: number): Promise<Bytes> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > sizeBytesMax) throw new Problem('body_too_large');
  let body = Buffer.allocUnsafe(Math.min(declared, firstBytes));
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    const sizeNow = size + piece.length;
    if (sizeNow > sizeBytesMax) throw new Problem('body_too_large');
    if (sizeNow > body.length)
      body = enlarged(body, Math.min(Math.max(2 * body.length, sizeNow), sizeBytesMax));
    piece.copy(body, size);
    size = sizeNow;
  }
  return body.subarray(0, size);
}

function enlarged(body: Bytes, length: number): Bytes {
  const larger = Buffer.allocUnsafe(length);
  body.copy(larger);
  return larger;
}

export function requireJson(koa: ApiContext): void {
  if (!isJson(koa.get('Content-Type'), koa.get('Content-Encoding')))
    throw new Problem('unsupported_media_type');
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
