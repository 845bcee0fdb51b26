import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { NoAnswer } from './no-answer.ts';

type Lookup = {
  timeoutMs: number;
  /** Name servers as `address:port`; those of the system when absent. */
  servers: readonly string[] | undefined;
  signal: AbortSignal;
};

/**
 * Every address of a host, A and AAAA at once, within one time-out (decision 29). By DNS alone: getaddrinfo would block the
 * thread pool, and would find names of the local network. A family that does not answer leaves the other one to be used.
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
