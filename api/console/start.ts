import { memberLimits } from '#contract/members.ts';
import type { Config } from '#platform/config/config.ts';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { type Log, warnOfPlainConsole } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { Context } from '#services/context.ts';
import type { OwnContractContext } from '#services/eid/own-contract.ts';
import type { RunningServer } from '../http-server.ts';
import { startConsole } from './server.ts';

type Parts = { ctx: Context; log: Log; decoder: PictureDecoder } & Pick<OwnContractContext, 'tryContract'>;

/** Starts the console of this process. Undefined if the configuration turns it off. */
export async function startConsoleOf(
  config: Config,
  { ctx, log, decoder, tryContract }: Parts,
): Promise<RunningServer | undefined> {
  const { console: wanted, host, redisUrl, trustProxy, temporal, temporalUiUrl } = config;
  if (wanted === undefined) return undefined;
  warnOfPlainConsole(config, log);
  const { windowSeconds } = memberLimits.attempts;
  const attempts = await createRateLimits({ redisUrl, log, windowSeconds });
  const workflowsUrl =
    temporalUiUrl &&
    `${temporalUiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/`;
  const server = await startConsole({
    ctx,
    log,
    decoder,
    tryContract,
    attempts,
    workflowsUrl,
    trustProxy,
    host,
    ...wanted,
  });
  return {
    port: server.port,
    async stop() {
      await server.stop();
      attempts.stop();
    },
  };
}
