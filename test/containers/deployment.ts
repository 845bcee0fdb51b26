import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { runbookBlocks } from '#test/support/documents/shell-blocks.ts';
import { run } from './commands.ts';
import { type Engine, networks } from './engine.ts';
import type { Ports } from './ports.ts';

export type Service = {
  image: string;
  read_only?: boolean;
  tmpfs?: string[];
  volumes?: string[];
  restart: string;
  healthcheck?: { disable?: boolean };
};

export type Container = {
  id: string;
  name: string;
  service: string;
  pid: number;
  health: string;
  /** The image's id. */
  image: string;
};

export type Deployment = ReturnType<typeof makeDeployment>;

/** What an operator has: the folder of a clone, the commands of the runbook, and what compose says about its containers. */
export function makeDeployment(engine: Engine, ports: Ports) {
  const folder = join(engine.folder, 'deployment');
  const blocks = runbookBlocks();
  const left = new Set(blocks.flatMap(({ containers }) => containers ?? []));
  const env: NodeJS.ProcessEnv = {
    ...engine.env,
    PATH: `${join(engine.folder, 'bin')}:${engine.env.PATH}`,
    COMPOSE_FILE: `docker-compose.yml:${join(engine.folder, 'receiver.yml')}`,
    COMPOSE_HTTP_TIMEOUT: '600',
    WEBHOOK_ALLOW_ADDRESSES: networks,
    API_PORTS: String(ports.api[0]),
    CONSOLE_PORTS: String(ports.console[0]),
    TEMPORAL_UI_PORT: String(ports.ui),
    BACKUPS: join(engine.folder, 'backups'),
  };
  const shell = (code: string) =>
    run('bash', ['-euo', 'pipefail', '-c', code], { env, cwd: folder, timeoutMs: 7_200_000 });

  const containers = async (service = ''): Promise<Container[]> => {
    const ids = (await shell(`docker-compose ps -q ${service}`)).trim();
    return ids === '' ? [] : inspected(ids.split('\n'));
  };
  async function inspected(ids: string[]): Promise<Container[]> {
    const listed: Inspected[] = JSON.parse(await engine.podman('inspect', ...ids));
    return listed.map(({ Id, Name, Image, Config, State }) => ({
      id: Id,
      name: Name,
      image: Image,
      service: Config.Labels['com.docker.compose.service'] ?? '',
      pid: State.Pid,
      health: State.Health?.Status || 'none',
    }));
  }
  async function published(port: string): Promise<string[]> {
    const found = await Promise.all(
      (await containers('api')).map(({ id }) => engine.podman('port', id, port)),
    );
    return found.map((address) => `http://${address.trim()}`);
  }

  return {
    folder,
    env,
    shell,
    ports,
    /** The services of the file that the operator has, which an upgrade replaces. */
    services: (): Record<string, Service> =>
      parse(readFileSync(join(folder, 'docker-compose.yml'), 'utf8'), { merge: true }).services,
    /** The blocks of the page that were not run yet. */
    left,

    /** The lines of a block of the page, each of which is a command. */
    lines(name: string): string[] {
      left.delete(name);
      return blockOf(name).split('\n');
    },
    async block(name: string): Promise<string> {
      left.delete(name);
      return shell(blockOf(name));
    },

    containers,
    /** Starts a container of a service that ends by itself, with `sleep` in place of its program, while `look` looks at it. */
    async asleep<T>(service: string, look: (container: Container) => Promise<T>): Promise<T> {
      const options = `--detach --no-deps --entrypoint 'sleep 3600'`;
      const name = (await shell(`docker-compose run ${options} ${service}`)).trim().split('\n').at(-1) ?? '';
      try {
        const [container] = await inspected([name]);
        if (container === undefined) throw new Error(`${service} did not start`);
        return await look({ ...container, name: `${service}, asleep` });
      } finally {
        await engine.podman('rm', '--force', '--volumes', '--time', '0', name);
      }
    },
    /** Waits until every container that runs on is healthy, and returns them. */
    async healthy(timeoutMs = 600_000): Promise<Container[]> {
      for (const until = Date.now() + timeoutMs; ; await pause(500)) {
        const all = await this.containers();
        const open = all.filter(({ service, health }) => this.runsOn(service) && health !== 'healthy');
        if (open.length === 0) return all.filter(({ service }) => this.runsOn(service));
        if (Date.now() > until)
          throw new Error(`not healthy: ${open.map(({ name, health }) => `${name} ${health}`).join(', ')}`);
      }
    },
    runsOn(service: string): boolean {
      return this.services()[service]?.restart === 'unless-stopped';
    },
    /** The addresses at which the containers of the API are published. */
    apis: () => published('3000/tcp'),
    /** The addresses at which they serve the console. */
    consoles: () => published('3001/tcp'),
  };

  function blockOf(name: string): string {
    const found = blocks.find(({ containers }) => containers === name);
    if (found === undefined) throw new Error(`the runbook has no block ${name}`);
    return found.code;
  }
}

type Inspected = {
  Id: string;
  Name: string;
  Image: string;
  Config: { Labels: Record<string, string> };
  State: { Pid: number; Health?: { Status: string } };
};
