import type { Cidr } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { RateLimits } from '#platform/rate-limits.ts';
import type { Context } from '#services/context.ts';
import { createKeyCache } from '#services/keys/key-cache.ts';
import { createRequestLog } from '#services/request-log/request-log.ts';
import { createApp } from './app.ts';
import { clientAddress } from './client-address.ts';
import { type ConnectionLimits, type RunningServer, serveHttp } from './http-server.ts';
import { observeApi } from './metrics.ts';

export type ApiParts = {
  ctx: Context;
  log: Log;
  rateLimits: RateLimits;
  decoder: PictureDecoder;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly Cidr[];
  /** Origins whose pages may call the agent interface. */
  mcpAllowedOrigins: readonly string[];
  /** The address of the console. Undefined: there is none. */
  consoleUrl?: string | undefined;
  host: string;
  port: number;
  connections?: ConnectionLimits;
};

export async function startApi(parts: ApiParts): Promise<RunningServer> {
  const { ctx, log, rateLimits, decoder, trustProxy, mcpAllowedOrigins, consoleUrl } = parts;
  const { host, port, connections } = parts;
  const requestLog = createRequestLog(ctx, log);
  const serverCtx = { ...ctx, keyCache: createKeyCache(ctx.clock), rateLimits, decoder, requestLog, log };
  observeApi(serverCtx);
  const addressOf = clientAddress(trustProxy);
  const server = await serveHttp({
    handlerFor: (isMalformed) =>
      createApp(serverCtx, { log, addressOf, isMalformed, mcpAllowedOrigins, consoleUrl }).callback(),
    ...{ rateLimits, host, port, portName: 'PORT', connections },
  });
  return {
    port: server.port,
    async stop() {
      await server.stop();
      await requestLog.stop();
    },
  };
}
