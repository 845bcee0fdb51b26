import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { isSameSecret, sha256 } from '#platform/crypto/crypto.ts';
import { type PayloadJson, payloadFromJson, payloadToJson } from '#platform/temporal/payload-json.ts';

const bytesMax = 8_000_000;

const Payload = z.object({
  metadata: z.record(z.string(), z.string()).optional(),
  data: z.string().optional(),
});
const Payloads = z.object({ payloads: z.array(Payload).default([]) });

/**
 * Decrypts values of Temporal for an operator's command line (`POST /decode`, the protocol of Temporal's codec servers). It
 * encrypts nothing. Every request must have the header `Authorization: Bearer TOKEN`. A value that the product did not encrypt is
 * returned as it is.
 */
export async function startCodecEndpoint({
  codec,
  token,
  port,
}: {
  codec: PayloadCodec;
  token: string;
  port: number;
}) {
  const expected = sha256(`Bearer ${token}`);
  const server = createServer(async (request, response) => {
    const answer = (status: number, body?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    if (!isSameSecret(sha256(request.headers.authorization ?? ''), expected)) return answer(401);
    if (request.method !== 'POST' || request.url !== '/decode') return answer(404);
    const asked = Payloads.safeParse(await jsonOf(request).catch(() => undefined));
    if (!asked.success) return answer(400);
    return answer(200, {
      payloads: await Promise.all(asked.data.payloads.map((each) => decoded(codec, each))),
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error('the request is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

async function decoded(codec: PayloadCodec, payload: PayloadJson): Promise<PayloadJson> {
  try {
    const [plain] = await codec.decode([payloadFromJson(payload)]);
    return plain ? payloadToJson(plain) : payload;
  } catch {
    return payload;
  }
}
