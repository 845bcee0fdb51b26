import type { Cidr } from '#platform/config/config-fields.ts';
import { startAdmission } from '#platform/limits/admission.ts';
import { type Counting, createRateLimits } from '#platform/limits/rate-limits.ts';
import type { Log } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import { createRunStarts } from '#platform/temporal/run-starts.ts';
import type { Context } from '#services/context.ts';
import { createKeyCache } from '#services/keys/key-cache.ts';
import { createRequestLog } from '#services/request-log/request-log.ts';
import { createApp, refusalPages } from './app.ts';
import { clientAddress } from './client-address.ts';
import { ignoredForwardedFor } from './forwarded-for.ts';
import { type ConnectionLimits, type RunningServer, serveHttp } from './http-server.ts';
import { refusalToAgents } from './mcp/answers.ts';
import { observeApi } from './metrics.ts';
import type { ServerContext } from './server-context.ts';

export type ApiParts = {
  ctx: Context;
  log: Log;
  counting: Counting;
  decoder: PictureDecoder;
  parseReturn: ServerContext['parseReturn'];
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly Cidr[];
  /** Origins whose pages may call the agent interface. */
  mcpAllowedOrigins: readonly string[];
  /** The address of the console. Undefined: there is none. */
  consoleUrl?: string | undefined;
  host: string;
  port: number;
  connections?: ConnectionLimits;
  /** How many creates the process works on at once before it has measured any. */
  creates?: number | undefined;
};

export async function startApi(parts: ApiParts): Promise<RunningServer> {
  const { ctx, log, decoder, trustProxy, mcpAllowedOrigins, consoleUrl } = parts;
  const { parseReturn, host, port, connections } = parts;
  const rateLimits = await createRateLimits({ log, ...parts.counting });
  const requestLog = createRequestLog(ctx, log);
  const startOne = () => startAdmission(ctx.clock.monotonicMs, { limitAtRest: parts.creates });
  const runStarts = createRunStarts(ctx.temporal);
  const serverCtx = {
    ...ctx,
    admission: { completing: startOne(), pending: startOne() },
    runStarts,
    keyCache: createKeyCache(ctx.clock),
    ...{ rateLimits, decoder, parseReturn, requestLog, log },
  };
  observeApi(serverCtx);
  const addressOf = clientAddress(trustProxy, ignoredForwardedFor({ ...ctx, log }));
  const server = await serveHttp({
    handlerFor: (isMalformed) =>
      createApp(serverCtx, { log, addressOf, isMalformed, mcpAllowedOrigins, consoleUrl }).callback(),
    ...{ rateLimits, host, port, portName: 'PORT', connections, refusalPages },
    refusalForm: refusalToAgents(mcpAllowedOrigins),
  });
  return {
    port: server.port,
    async stop() {
      await server.stop();
      await runStarts.settled();
      await requestLog.stop();
      rateLimits.stop();
    },
  };
}
