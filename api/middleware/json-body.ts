import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { ApiContext } from '../state.ts';

type Bytes = Buffer<ArrayBuffer>;

/** The bytes of a body, which may be empty. A body that its headers do not declare as JSON in UTF-8 is refused (decision 18). */
export async function jsonBytes(koa: ApiContext): Promise<Bytes> {
  const bytes = await bodyBytes(koa, limits.bodySizeBytesMax);
  if (bytes.length > 0 && !isJson(koa.get('Content-Type'), koa.get('Content-Encoding')))
    throw new Problem('unsupported_media_type');
  return bytes;
}

/** The bytes of a body of any type. A larger one is refused as soon as its size is known. */
export const bodyBytes = (koa: ApiContext, sizeBytesMax: number): Promise<Bytes> =>
  readBytes(koa.req, sizeBytesMax).catch((error: unknown) => {
    // Read the rest of the body and drop it: the next request on this connection comes after it.
    koa.req.resume();
    // Any other error means that the caller hung up. That is not an error on our side.
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
