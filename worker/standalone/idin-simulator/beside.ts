import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certificateOf } from '#activities/eid/idin/contract.ts';
import type { TriedContract } from '#contract/eid.ts';
import { StartFault } from '#platform/failures.ts';
import { ensureKeys, writePrivately } from './keys.ts';
import { contractAt, issuers } from './merchant.ts';

const host = '127.0.0.1';
export const usualPort = 3010;

/** `wanted` is the port that an operator has asked for. Undefined: the usual one, or a free one if another program has that. */
type Options = { dataDir: string; wanted: number | undefined };

export type BesideSimulator = { url: string; contract: TriedContract; close(): Promise<void> };

/**
 * Listens for the simulator. The simulator reads XML of strangers, so it is a process of its own, without our secrets. It starts with the
 * first connection, so that an idle product does without it.
 */
export async function startBeside({ dataDir, wanted }: Options): Promise<BesideSimulator> {
  const folder = join(dataDir, 'idin-simulator');
  const keys = await ensureKeys(folder);
  const server = createServer({ pauseOnConnect: true });
  const url = `http://${host}:${await listen(server, wanted)}`;
  const program = createProgram([folder, url]);
  server.on('connection', program.take).on('error', () => undefined);

  const contract = contractAt(url, keys);
  const text = JSON.stringify(contract);
  writePrivately(join(folder, 'contract.json'), `${JSON.stringify(contract, null, 2)}\n`);
  const certificateEndsAt = new Date(certificateOf(contract.certificate)?.validTo ?? 0);
  return {
    url,
    contract: { text, issuers, simulated: true, certificateEndsAt },
    async close() {
      server.close();
      await program.end();
    },
  };
}

/** The process that gets the connections. After it has ended, the next connection starts another one. */
function createProgram(args: string[]) {
  let running: Promise<ChildProcess> | undefined;
  // Kept open until the process has said that it has them, because one that ends meanwhile would leave its clients waiting.
  const offered = new Map<number, Socket>();
  let newest = 0;

  const letGo = (id: number): void => {
    offered.get(id)?.destroy();
    offered.delete(id);
  };
  const ended = (): void => {
    running = undefined;
    for (const id of [...offered.keys()]) letGo(id);
  };

  const started = async (): Promise<ChildProcess> => {
    // No variable of ours, since they can hold secrets.
    const child = fork(fileURLToPath(new URL('./program.ts', import.meta.url)), args, {
      ...{ env: {}, execArgv: [], stdio: 'ignore' },
    });
    child.on('error', ended).on('exit', ended);
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
    child.on('message', (id) => letGo(Number(id)));
    return child;
  };

  const offer = (child: ChildProcess, socket: Socket): void => {
    if (!child.connected) return void socket.destroy();
    const id = ++newest;
    offered.set(id, socket);
    child.send(id, socket, { keepOpen: true }, (error) => {
      if (error) letGo(id);
    });
  };

  return {
    take(socket: Socket): void {
      socket.on('error', () => undefined);
      running ??= started();
      running.then((child) => offer(child, socket)).catch(() => socket.destroy());
    },
    async end(): Promise<void> {
      const child = await running?.catch(() => undefined);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function listen(server: Server, wanted: number | undefined): Promise<number> {
  try {
    return await listenOn(server, wanted ?? usualPort);
  } catch (error) {
    if (wanted === undefined) return listenOn(server, 0);
    const { code } = error as NodeJS.ErrnoException;
    throw new StartFault(
      `Port ${wanted} for the iDIN simulator cannot be listened on (${code}): choose another with IDIN_SIMULATOR_PORT.`,
    );
  }
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
