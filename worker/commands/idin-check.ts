import { setTimeout as pause } from 'node:timers/promises';
import { createIdin } from '#activities/eid/idin/adapter.ts';
import { createPost } from '#activities/eid/idin/post.ts';
import { createAnswerReader } from '#activities/eid/idin/reader.ts';
import { EidFault, type EidProvider, type EidResult, type Issuer } from '#activities/eid/port.ts';
import { randomToken } from '#platform/crypto/random.ts';
import { StartFault } from '#platform/failures.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createLog } from '#platform/log.ts';
import { exitWith } from '#platform/process.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { misused, print, readArguments } from './parts/command-line.ts';
import { readContract } from './parts/idin-contract.ts';

const usage =
  'Usage: npm run --silent idin-check -- --contract FILE [--walk BIC [--return-url URL]]\n' +
  'Asks the acquirer for its banks. With --walk, one person identifies at that bank, and nothing of the person is printed.';

const waitMs = 3_000;
const expiresInSeconds = 300;

/** Tries an iDIN contract with its acquirer, or with the simulator. */
async function main(): Promise<void> {
  const { file, walk, returnUrl } = readOptions();
  const contract = await readContract(file, usage);
  const log = createLog({ level: 'warn', format: 'pretty' });
  const reader = createAnswerReader({ isolation: await findIsolation(log), log, instruments: noInstruments });
  const bank = createIdin(contract, { reader, post: createPost(), now: () => new Date() });
  try {
    const issuers = await bank.listIssuers();
    for (const { id, name, country } of issuers) print(`${id.padEnd(11)}  ${name} (${country})`);
    if (walk !== undefined) await identify(bank, issuers, walk, returnUrl);
  } catch (error) {
    throw error instanceof EidFault ? new StartFault(`The contract does not work: ${error.message}`) : error;
  } finally {
    await reader.close();
  }
}

async function identify(
  bank: EidProvider,
  issuers: readonly Issuer[],
  walk: string,
  returnUrl: string,
): Promise<void> {
  if (!issuers.some(({ id }) => id === walk)) throw misused(usage, `The acquirer has no bank ${walk}.`);
  const requestId = `C${randomToken(12, 'hex')}`;
  const entranceCode = randomToken(20, 'hex');
  const order = {
    requestId,
    issuerId: walk,
    returnUrl,
    entranceCode,
    language: 'nl' as const,
    expiresInSeconds,
  };
  const { transactionId, redirectUrl } = await bank.begin(order);
  print(`Open this address within five minutes: ${redirectUrl}`);
  const result = await ended(bank, { transactionId, requestId, issuerId: walk });
  print(`Transaction ${transactionId}: ${result.status}`);
  if (result.status !== 'success') return;
  print(`Level: ${result.level}. Complete: ${result.complete ? 'yes' : 'no'}.`);
  print(`Attributes: ${Object.keys(result.attributes).sort().join(', ')}`);
}

/** Asks until the transaction is over. Acquirers let it stay open a little longer than was asked for. */
async function ended(
  bank: EidProvider,
  transaction: Parameters<EidProvider['fetchResult']>[0],
): Promise<EidResult> {
  const until = Date.now() + expiresInSeconds * 1_000 + 10 * waitMs;
  for (;;) {
    const result = await bank.fetchResult(transaction);
    const isOver = result.status !== 'open' && result.status !== 'pending';
    if (isOver || Date.now() > until) return result;
    await pause(waitMs);
  }
}

function readOptions(): { file: string; walk: string | undefined; returnUrl: string } {
  const option = { type: 'string' } as const;
  const options = { contract: option, walk: option, 'return-url': option };
  const {
    contract,
    walk,
    'return-url': returnUrl = 'https://localhost/',
  } = readArguments({ options }, usage).values;
  if (contract === undefined || !URL.canParse(returnUrl)) throw misused(usage);
  return { file: contract, walk, returnUrl };
}

await main().catch(exitWith);
