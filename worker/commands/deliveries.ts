import { z } from 'zod';
import { readConfig } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { answersOf } from '#services/attempts/answers.ts';
import { openStore } from '#store/database/connection.ts';
import { misused, note, print, readArguments } from './parts/command-line.ts';
import { secretsKeysOf, serversOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent deliveries -- DELIVERY_ID [--json]';

/** Prints the attempts of a delivery with what the receiver answered, for the developers of the organisation. */
async function main(): Promise<void> {
  const { id, json } = readOptions();
  const config = readConfig(process.env);
  const secrets = createSecrets(secretsKeysOf(config));
  const store = await openStore(serversOf(config).databaseUrl, 1);
  try {
    const attempts = await answersOf({ store, secrets }, id);
    if (attempts === undefined) throw new StartFault('There is no such delivery.', exitCodes.unavailable);
    if (attempts.length === 0) note('No attempt was made yet.');
    for (const attempt of attempts) print(json ? JSON.stringify(asJson(attempt)) : inWords(attempt));
  } finally {
    await store.close();
  }
}

type Attempt = NonNullable<Awaited<ReturnType<typeof answersOf>>>[number];

const asJson = ({ number, startedAt, outcome, reason, responseStatus, answer }: Attempt) => ({
  ...{ number, started_at: startedAt.toISOString(), outcome, reason },
  ...{ response_status: responseStatus, answer: answer?.toString('utf8') ?? null },
});

const inWords = ({ number, startedAt, outcome, reason, responseStatus, answer }: Attempt): string =>
  [
    [
      ...[`attempt ${number}`, startedAt.toISOString(), outcome ?? 'running'],
      ...[reason, responseStatus].filter((each) => each !== null),
    ].join('  '),
    answer === null ? '  no answer is stored' : indented(answer.toString('utf8')),
  ].join('\n');

/** A stranger wrote the answer. Without control characters it cannot change the terminal. */
const indented = (answer: string): string =>
  answer
    .split(/\r?\n/)
    .map((line) => `  ${line.replaceAll(/\p{C}/gu, '�')}`)
    .join('\n');

function readOptions(): { id: string; json: boolean } {
  const { values, positionals } = readArguments(
    { allowPositionals: true, options: { json: { type: 'boolean', default: false } } },
    usage,
  );
  const [id, ...others] = positionals;
  if (others.length > 0 || !z.uuid().safeParse(id).success)
    throw misused(usage, 'Give the id of one delivery.');
  return { id: String(id), json: values.json };
}

await main().catch(exitWith);
