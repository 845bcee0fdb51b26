import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { randomToken } from '#platform/crypto/random.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import { createCodec } from '#platform/temporal/codec.ts';
import { startCodecEndpoint } from './parts/codec-endpoint.ts';
import { print, readArguments } from './parts/command-line.ts';
import { secretsKeysOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent codec -- [--port N]';

/**
 * Decrypts values of Temporal for the operator's command line until Ctrl-C. Each start has a new token. Temporal's command line reads it
 * from its environment, and a shell reads it from a private file: the words of a command can be read by everybody on the machine.
 */
async function main(): Promise<Running> {
  const { port } = readArguments({ options: { port: { type: 'string', default: '0' } } }, usage).values;
  const codec = createCodec(createSecrets(secretsKeysOf(readConfig(process.env))));
  const token = randomToken(24);
  const { url, stop } = await startCodecEndpoint({ codec, token, port: Number(port) });
  const folder = mkdtempSync(join(tmpdir(), 'codec-'));
  const file = join(folder, 'env');
  const lines = [`export TEMPORAL_CODEC_ENDPOINT='${url}'`, `export TEMPORAL_CODEC_AUTH='Bearer ${token}'`];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  print(`Decrypts until Ctrl-C. Before a command of Temporal's command line, in another terminal:
  . ${file}`);
  return {
    async stop() {
      rmSync(folder, { recursive: true, force: true });
      await stop();
    },
  };
}

await runUntilSignal(main);
