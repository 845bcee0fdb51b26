import { memberLimits } from '#contract/members.ts';
import type { Cidr } from '#platform/config/config-fields.ts';
import { type Counting, createRateLimits } from '#platform/limits/rate-limits.ts';
import type { Log } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { Context } from '#services/context.ts';
import type { OwnContractContext } from '#services/eid/own-contract.ts';
import { clientAddress } from '../client-address.ts';
import { ignoredForwardedFor } from '../forwarded-for.ts';
import { type ConnectionLimits, type RunningServer, serveHttp } from '../http-server.ts';
import { createConsole } from './app.ts';
import { observeConsole } from './metrics.ts';
import { refusalPages } from './refusals.ts';

export type ConsoleParts = {
  ctx: Context;
  log: Log;
  decoder: Pick<PictureDecoder, 'logo'>;
  tryContract: OwnContractContext['tryContract'];
  /** How guesses are counted. By default in windows of `memberLimits.attempts.windowSeconds`. */
  counting: Counting;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly Cidr[];
  host: string;
  port: number;
  /** The address at which browsers reach the console. Undefined: this machine and the port. */
  url?: string | undefined;
  workflowsUrl?: string | undefined;
  connections?: ConnectionLimits | undefined;
};

/** Starts the console on an origin of its own, apart from that of the API, whose hosted pages take strangers' input. */
export async function startConsole(parts: ConsoleParts): Promise<RunningServer & { url: string }> {
  const { ctx, log, decoder, tryContract, workflowsUrl, trustProxy, host, port, connections } = parts;
  const { windowSeconds } = memberLimits.attempts;
  const attempts = await createRateLimits({ log, windowSeconds, ...parts.counting });
  let url = parts.url ?? `http://localhost:${port}`;
  const addressOf = clientAddress(trustProxy, ignoredForwardedFor({ ...ctx, log }));
  observeConsole(ctx);
  const server = await serveHttp({
    handlerFor: (isMalformed) =>
      createConsole(
        { ...ctx, log, decoder, tryContract, attempts, workflowsUrl },
        { addressOf, isMalformed, url: () => url },
      ).callback(),
    ...{ rateLimits: attempts, host, port, portName: 'CONSOLE_PORT', refusalPages, connections },
  });
  url = parts.url ?? `http://localhost:${server.port}`;
  return {
    ...{ port: server.port, url },
    async stop() {
      await server.stop();
      attempts.stop();
    },
  };
}
