import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { outcomeOf } from './commands.ts';

/** NET_ADDR_SET of the kernel: somebody gave the device its address, so the kernel keeps it. */
const given = '3';

/**
 * A bridge has the lowest hardware address of its containers unless somebody gives it one, so it changes when containers come and go.
 * For up to ten seconds the others then send their questions for names to the old one, and nothing finds its database. Docker gives
 * each bridge an address; podman 4.3 does not. So this does, as soon as a bridge is there.
 */
export function keepBridgeAddresses(prefix: string, env: NodeJS.ProcessEnv) {
  const ending = new AbortController();
  const done = (async () => {
    while (!ending.signal.aborted) {
      for (const { name, mac } of bridges(prefix))
        if (addressKind(name) !== given)
          // A bridge may go while it is looked at.
          await outcomeOf('ip', ['link', 'set', 'dev', name, 'address', mac], { env }).catch(() => undefined);
      await pause(100, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await done;
    },
  };
}

/** The devices of this machine that are in podman's networks. */
const bridges = (prefix: string) =>
  Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.filter(({ address }) => address.startsWith(prefix)).map(({ mac }) => ({ name, mac })),
  );

function addressKind(name: string): string {
  try {
    return readFileSync(`/sys/class/net/${name}/addr_assign_type`, 'utf8').trim();
  } catch {
    return given;
  }
}
