import { memberLimits } from '#contract/members.ts';
import type { Config } from '#platform/config/config.ts';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { warnOfPlainConsole } from '#platform/log.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import type { Parts } from '#services/parts.ts';
import { type ConsoleParts, startConsole } from './console/server.ts';
import type { RunningServer } from './http-server.ts';
import { type ApiParts, startApi } from './server.ts';

type Given = Pick<ApiParts, 'ctx' | 'parseReturn'> & Pick<ConsoleParts, 'tryContract'>;

/** Starts the API of a process, and its console unless the configuration turns that off. */
export async function startServers(config: Config, { log, isolated }: Parts, given: Given) {
  const { ctx, parseReturn, tryContract } = given;
  const { host, port, trustProxy, mcpAllowedOrigins, redisUrl } = config;
  const rateLimits = await createRateLimits({ redisUrl, log });
  const decoder = createPictureDecoder(isolated);
  const api = await startApi({
    ...{ ctx, log, rateLimits, decoder, parseReturn, trustProxy, mcpAllowedOrigins, host, port },
    consoleUrl: config.console?.url,
  });
  const consoleServer = await startConsoleOf(config, { ctx, log, decoder, tryContract });
  return {
    ports: { port: api.port, console_port: consoleServer?.port },
    async stop() {
      await Promise.all([api.stop(), consoleServer?.stop()]);
      rateLimits.stop();
      await decoder.close();
    },
  };
}

async function startConsoleOf(
  config: Config,
  parts: Pick<ConsoleParts, 'ctx' | 'log' | 'decoder' | 'tryContract'>,
): Promise<RunningServer | undefined> {
  const { console: wanted, host, redisUrl, trustProxy, temporal, temporalUiUrl } = config;
  if (wanted === undefined) return undefined;
  const { log } = parts;
  warnOfPlainConsole(config, log);
  const { windowSeconds } = memberLimits.attempts;
  const attempts = await createRateLimits({ redisUrl, log, windowSeconds });
  const workflowsUrl =
    temporalUiUrl &&
    `${temporalUiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/`;
  const server = await startConsole({ ...parts, attempts, workflowsUrl, trustProxy, host, ...wanted });
  return {
    port: server.port,
    async stop() {
      await server.stop();
      attempts.stop();
    },
  };
}
