import type { Config } from '#platform/config/config.ts';
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
  const decoder = createPictureDecoder(isolated);
  const api = await startApi({
    ...{ ctx, log, decoder, parseReturn, trustProxy, mcpAllowedOrigins, host, port },
    ...{ counting: { redisUrl }, consoleUrl: config.console?.url },
  });
  const consoleServer = await startConsoleOf(config, { ctx, log, decoder, tryContract });
  return {
    ports: { port: api.port, console_port: consoleServer?.port },
    async stop() {
      await Promise.all([api.stop(), consoleServer?.stop()]);
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
  warnOfPlainConsole(config, parts.log);
  const workflowsUrl =
    temporalUiUrl &&
    `${temporalUiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/`;
  return startConsole({ ...parts, counting: { redisUrl }, workflowsUrl, trustProxy, host, ...wanted });
}
