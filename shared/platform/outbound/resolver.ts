import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { NoAnswer } from './no-answer.ts';

type Lookup = {
  timeoutMs: number;
  /** Name servers as `address:port`. If undefined, the name servers of the system are used. */
  servers: readonly string[] | undefined;
  signal: AbortSignal;
};

/**
 * Returns all addresses of a host, or throws `NoAnswer`. The A and AAAA queries run at the same time, within one time-out (decision
 * 29). If only one query succeeds, the result contains the addresses of that query. The resolver does not use getaddrinfo, which
 * blocks the thread pool and also finds names of the local network.
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
