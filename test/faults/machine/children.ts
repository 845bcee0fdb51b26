import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureListenCa, issueServerCertificate } from '#worker/standalone/certificates.ts';
import type { Order } from '../parts/points.ts';
import type { Part } from './servers.ts';
import { startMsMax } from './tools.ts';

/** How one start of a part differs from the others: by environment variables, or by the folder of another version. */
export type Own = { env?: NodeJS.ProcessEnv; root?: string };

/** A part that dies at the point that `order` names. */
export type OrderlyPart = Omit<Part, 'start'> & {
  start(own?: Own): Promise<void>;
  order(order: Order): Promise<void>;
};

const ownRoot = join(import.meta.dirname, '../../..');

/** Starts the product's API or worker by an entry program of the tests. */
export function forkedPart(name: 'api' | 'worker', folder: string, env: NodeJS.ProcessEnv): OrderlyPart {
  const child = forkedChild(name, folder, env);
  return { ...child.part, start: async (own) => void (await child.start((said) => said === 'ready', own)) };
}

function forkedChild(name: string, folder: string, env: NodeJS.ProcessEnv, args: string[] = []) {
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  const current = () => {
    if (child === undefined) throw new Error(`the ${name} was never started`);
    return child;
  };
  return {
    current,
    /** Resolves with the message by which the child says that it is ready. */
    start(
      isReady: (said: unknown) => boolean,
      { env: further = {}, root = ownRoot }: Own = {},
    ): Promise<unknown> {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = fork(join(root, 'test/faults/parts', `${name}.ts`), args, {
        env: { ...env, ...further },
        execArgv: [],
        stdio: ['ignore', log, log, 'ipc'],
      });
      closeSync(log);
      exited = once(child, 'exit');
      return message(child, isReady, `the ${name}`);
    },
    part: {
      name,
      pid: () => child?.pid,
      signal: (signal: NodeJS.Signals) => void child?.kill(signal),
      running: () => child?.exitCode === null && child.signalCode === null,
      gone: () => exited,
      order: (order: Order) => tell(current(), order),
    },
  };
}

/** The partner's server. Its log is one of the two logs that the verdict is based on. */
export async function receiverPart(folder: string) {
  const { certFile: caFile } = await ensureListenCa(folder);
  const { cert, key } = await issueServerCertificate(folder, ['localhost', '127.0.0.1']);
  const files = { cert: join(folder, 'receiver.pem'), key: join(folder, 'receiver.key') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const logFile = join(folder, 'receiver.jsonl');
  writeFileSync(logFile, '');
  const child = forkedChild('receiver', folder, process.env, [files.cert, files.key, logFile]);
  let port = 0;
  return {
    ...child.part,
    caFile,
    logFile,
    async start() {
      const said = await child.start((said) => typeof said === 'object');
      port = (said as { port: number }).port;
    },
    port: () => port,
    /** Resolves when the receiver reaches the point that it was told to wait for. */
    hit: () => message(child.current(), (said) => said === 'hit', 'the receiver'),
  };
}

async function tell(child: ChildProcess, order: Order): Promise<void> {
  const armed = message(child, (said) => said === 'armed', 'a part that was given an order');
  child.send({ order });
  await armed;
}

/** Waits for a message of the child. Fails if the child dies first or sends no such message in time. */
function message(child: ChildProcess, isIt: (said: unknown) => boolean, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => finish(`did not answer within ${startMsMax} ms`), startMsMax);
    const listen = (said: unknown) => isIt(said) && finish(undefined, said);
    const died = () => finish('died instead of answering');
    const finish = (fault: string | undefined, said?: unknown) => {
      clearTimeout(late);
      child.off('message', listen);
      child.off('exit', died);
      if (fault === undefined) resolve(said);
      else reject(new Error(`${what} ${fault}`));
    };
    child.on('message', listen);
    child.once('exit', died);
  });
}
