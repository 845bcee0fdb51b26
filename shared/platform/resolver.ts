import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { NoAnswer } from './no-answer.ts';

type Lookup = {
  timeoutMs: number;
  /** Name servers as `address:port`. Undefined: those of the system. */
  servers: readonly string[] | undefined;
  signal: AbortSignal;
};

/**
 * All addresses of a host. A and AAAA are queried at the same time, within one time-out (decision 29); if only one of them
 * is answered, that one is used. Uses DNS and not getaddrinfo, which blocks the thread pool and also finds names of the local
 * network. Throws `NoAnswer`.
 */
export async function addressesOf(host: string, { timeoutMs, servers, signal }: Lookup): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  if (host === 'localhost') return ['127.0.0.1'];
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const giveUp = () => resolver.cancel();
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return found(await Promise.allSettled([resolver.resolve4(`${host}.`), resolver.resolve6(`${host}.`)]));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

const timeoutCodes = ['ETIMEOUT', 'ECANCELLED'];

function found(answers: readonly PromiseSettledResult<string[]>[]): string[] {
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const late = answers.some(
    ({ status, ...rest }) => 'reason' in rest && timeoutCodes.includes(rest.reason?.code),
  );
  throw new NoAnswer(late ? 'timed_out' : 'name_not_resolved');
}
