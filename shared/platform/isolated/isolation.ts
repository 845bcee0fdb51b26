import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../log.ts';

/** How this machine can isolate a program. */
export type Isolation = {
  /** The words before a command that take rights away from it. */
  wrapper: readonly string[];
  /** True if a program has namespaces of its own: no network, no other processes, and no user of this machine. */
  namespaces: boolean;
};

/** The program gains no rights by setuid, and the kernel ends it with the process that started it. */
const bound = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--'];
/**
 * A user namespace makes the others possible without any right. The kernel also refuses access from within it to the memory and the
 * environment of a process outside, even of the same user.
 */
const apart = ['unshare', '--user', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--'];

const ways: readonly Isolation[] = [
  { wrapper: [...bound, ...apart], namespaces: true },
  { wrapper: bound, namespaces: false },
  { wrapper: [], namespaces: false },
];
const trialMs = 10_000;

/** Tries how far this machine can isolate a program. If namespaces are not possible, the log says so once. */
export async function findIsolation(log: Pick<Log, 'warn'>): Promise<Isolation> {
  const found = await firstThatWorks(ways);
  if (!found.namespaces)
    log.warn(
      'this machine allows no namespaces: pictures are decoded in a process that could reach the network and what belongs to the same user',
    );
  return found;
}

async function firstThatWorks([way, ...rest]: readonly Isolation[]): Promise<Isolation> {
  if (way === undefined) return { wrapper: [], namespaces: false };
  return (await works(way)) ? way : firstThatWorks(rest);
}

const works = ({ wrapper }: Isolation): Promise<boolean> => {
  const [command = '', ...words] = [...wrapper, 'true'];
  return promisify(execFile)(command, words, { cwd: '/', env: {}, timeout: trialMs }).then(
    () => true,
    () => false,
  );
};
