import { memberLimits } from '#contract/members.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { createRateLimits } from '#platform/rate-limits.ts';
import type { Context } from '#services/context.ts';
import type { RunningServer } from '../http-server.ts';
import { startConsole } from './server.ts';

/** Starts the console of this process. Undefined if the configuration turns it off. */
export async function startConsoleOf(
  { console: wanted, host, redisUrl, trustProxy }: Config,
  { ctx, log }: { ctx: Context; log: Log },
): Promise<RunningServer | undefined> {
  if (wanted === undefined) return undefined;
  const { windowSeconds } = memberLimits.attempts;
  const attempts = await createRateLimits({ redisUrl, log, windowSeconds });
  const server = await startConsole({ ctx, log, attempts, trustProxy, host, ...wanted });
  return {
    port: server.port,
    async stop() {
      await server.stop();
      attempts.stop();
    },
  };
}
