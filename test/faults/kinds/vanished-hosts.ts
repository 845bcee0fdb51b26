import { setTimeout as pause } from 'node:timers/promises';
import { type Host, linksOf } from '../machine/network.ts';
import { besideSecondWorker } from './beside.ts';
import type { Fault } from './fault.ts';

/** After this time the keep-alive of a server finds out that its client is gone. */
const noticedMs = 30_000;

/**
 * A host that loses its power. Nobody closes its sockets, so the other parts wait for it. A host that takes its place answers on
 * new connections. The clients of a server that vanished must find out by themselves.
 */
const vanish = (host: Extract<Host, 'api' | 'worker' | 'temporal' | 'postgres'>): Fault => ({
  name: `host of ${host} vanishes`,
  mayRepeat: host !== 'api',
  plan(machine, dice) {
    const links = linksOf(machine.links, host);
    const afterMs = dice.whole(200, 1_500);
    const awayMs = dice.whole(0, 6_000);
    return {
      detail: `after ${afterMs} ms, replaced after ${awayMs} ms`,
      loadMs: afterMs + awayMs + 1_000,
      async break() {
        await pause(afterMs);
        for (const { proxy, between } of links) {
          const bury = proxy.abandon();
          proxy.hold('requests', 'answers');
          if (between[0] === host) setTimeout(bury, noticedMs).unref();
        }
        machine[host].signal('SIGKILL');
        await machine[host].gone();
        await pause(awayMs);
        return true;
      },
      async mend() {
        const started = machine[host].start();
        for (const { proxy } of links) proxy.release();
        await started;
      },
    };
  },
});

export const vanishedHosts: readonly Fault[] = [
  vanish('api'),
  besideSecondWorker(vanish('worker')),
  vanish('temporal'),
  vanish('postgres'),
];
