import { setTimeout as pause } from 'node:timers/promises';
import { outcomeOf } from './commands.ts';

type Listed = { Id: string; Status: string };

/**
 * Podman leaves it to systemd to run the health checks of containers at their intervals, and a test machine may have no systemd. So
 * this runs them: every two seconds until a container is healthy, then every ten.
 */
export function keepChecking(env: NodeJS.ProcessEnv) {
  const checkedAt = new Map<string, number>();
  const unchecked = new Set<string>();
  const ending = new AbortController();

  async function checkAll(): Promise<void> {
    const { stdout } = await outcomeOf('podman', ['ps', '--format', 'json'], { env });
    for (const { Id: id, Status: status } of JSON.parse(stdout || '[]') as Listed[]) {
      const everyMs = status.includes('(healthy)') ? 10_000 : 2_000;
      if (unchecked.has(id) || Date.now() - (checkedAt.get(id) ?? 0) < everyMs) continue;
      checkedAt.set(id, Date.now());
      const { all } = await outcomeOf('podman', ['healthcheck', 'run', id], { env, timeoutMs: 30_000 });
      if (/no defined healthcheck/i.test(all)) unchecked.add(id);
    }
  }

  const done = (async () => {
    while (!ending.signal.aborted) {
      // A container may end while it is checked.
      await checkAll().catch(() => undefined);
      await pause(500, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await done;
    },
  };
}
