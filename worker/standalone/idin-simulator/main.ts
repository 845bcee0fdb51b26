import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { runUntilSignal } from '#platform/process.ts';
import { prepareDataDir } from '../data-dir.ts';
import { type AnswerKind, answerKinds, canHave, type Fault, faultNames, faultOf } from './faults.ts';
import { ensureKeys, writePrivately } from './keys.ts';
import { memoryIn } from './memory.ts';
import { type Style, styles } from './messages.ts';
import { startSimulator } from './server.ts';
import { kindOf } from './setting.ts';

const defaultPort = 3010;
const usage = `Usage: npm run idin-simulator -- [--port 3010] [--style short|long] [--fault NAME|help [--on ${answerKinds.join('|')}]]`;

/** Starts an iDIN acquirer with two banks on loopback, and writes the contract with which a merchant speaks to it. */
await runUntilSignal(async () => {
  const { port, style, fault, on } = readOptions();
  const folder = join(prepareDataDir(resolve(process.env.DATA_DIR || '.data')), 'idin-simulator');
  const keys = await ensureKeys(folder);
  const simulator = await startSimulator({
    keys,
    style,
    fault,
    on,
    port,
    memory: memoryIn(join(folder, `transactions-${port}.json`), []),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartFault(`Port ${port} cannot be listened on (${error.code}): choose another with --port.`);
  });
  const file = join(folder, 'contract.json');
  writePrivately(file, `${JSON.stringify(simulator.contract, null, 2)}\n`);
  print(`The iDIN simulator listens on ${simulator.url}, fault: ${fault ?? 'none'}`);
  print(`The contract of its merchant, with the private key: ${file}`);
  print(`Try it: npm run idin-check -- --contract ${file} --walk SIMBNL2A`);
  return { stop: simulator.close };
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

type TextOptions = Record<'port' | 'style' | 'fault' | 'on', { readonly type: 'string' }>;

function parsed(options: TextOptions) {
  try {
    return parseArgs({ options }).values;
  } catch {
    throw new StartFault(usage, exitCodes.usage);
  }
}

type Options = { port: number; style: Style; fault: Fault | null; on: AnswerKind | null };

function readOptions(): Options {
  const option = { type: 'string' } as const;
  const values = parsed({ port: option, style: option, fault: option, on: option });
  const port = Number(values.port ?? defaultPort);
  const style = values.style === undefined ? styles[0] : styles.find((each) => each === values.style);
  const fault = faultOf(values.fault ?? null);
  if (values.fault !== undefined && fault === null)
    throw new StartFault(`The faults: ${faultNames.join(', ')}\n${usage}`, exitCodes.usage);
  const on = kindOf(values.on ?? null);
  if (values.on !== undefined && (fault === null || on === null || !canHave(fault, on)))
    throw new StartFault(`No such fault of such an answer.\n${usage}`, exitCodes.usage);
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || style === undefined)
    throw new StartFault(usage, exitCodes.usage);
  return { port, style, fault, on };
}
