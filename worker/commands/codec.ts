import { randomBytes } from 'node:crypto';
import { readConfig } from '#platform/config.ts';
import { createSecrets } from '#platform/crypto.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import { createCodec } from '#platform/temporal-codec.ts';
import { startCodecEndpoint } from '../codec-endpoint.ts';
import { print, readArguments } from './command-line.ts';
import { secretsKeysOf } from './servers.ts';

const usage = 'Usage: npm run --silent codec -- [--port N]';

/** Decrypts values of Temporal for the operator's command line until Ctrl-C. Each start has a new token. */
async function main(): Promise<Running> {
  const { port } = readArguments({ options: { port: { type: 'string', default: '0' } } }, usage).values;
  const codec = createCodec(createSecrets(secretsKeysOf(readConfig(process.env))));
  const token = randomBytes(24).toString('base64url');
  const { url, stop } = await startCodecEndpoint({ codec, token, port: Number(port) });
  print(`Decrypts until Ctrl-C. Add to a command of Temporal's command line:
  --codec-endpoint ${url} --codec-auth "Bearer ${token}"`);
  return { stop };
}

await runUntilSignal(main);
