import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { shellBlocks } from '#test/support/shell-blocks.ts';
import { run } from './commands.ts';
import { type Engine, networks } from './engine.ts';

const root = join(import.meta.dirname, '../..');

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

type Ports = { api: [number, number]; ui: number };

/** What an operator has: the folder of a clone, the commands of docs/operations.md, and what compose says about its containers. */
export function makeDeployment(engine: Engine, ports: Ports) {
  const folder = join(engine.folder, 'deployment');
  const blocks = shellBlocks('docs/operations.md');
  const left = new Set(blocks.flatMap(({ containers }) => containers ?? []));
  const env: NodeJS.ProcessEnv = {
    ...engine.env,
    PATH: `${join(engine.folder, 'bin')}:${engine.env.PATH}`,
    COMPOSE_FILE: `docker-compose.yml:${join(engine.folder, 'receiver.yml')}`,
    COMPOSE_HTTP_TIMEOUT: '180',
    WEBHOOK_ALLOW_ADDRESSES: networks,
    API_PORTS: String(ports.api[0]),
    TEMPORAL_UI_PORT: String(ports.ui),
    BACKUPS: join(engine.folder, 'backups'),
  };
  const shell = (code: string) =>
    run('bash', ['-euo', 'pipefail', '-c', code], { env, cwd: folder, timeoutMs: 900_000 });

  return {
    folder,
    env,
    shell,
    ports,
    services: (): Record<string, Service> =>
      parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }).services,
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

    async containers(service = ''): Promise<Container[]> {
      const ids = (await shell(`docker-compose ps -q ${service}`)).trim();
      if (ids === '') return [];
      const listed: Inspected[] = JSON.parse(await engine.podman('inspect', ...ids.split('\n')));
      return listed.map(({ Id, Name, Image, Config, State }) => ({
        id: Id,
        name: Name,
        image: Image,
        service: Config.Labels['com.docker.compose.service'] ?? '',
        pid: State.Pid,
        health: State.Health?.Status || 'none',
      }));
    },
    /** Waits until every container that runs on is healthy, and returns them. */
    async healthy(timeoutMs = 120_000): Promise<Container[]> {
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
    async apis(): Promise<string[]> {
      const containers = await this.containers('api');
      const published = await Promise.all(containers.map(({ id }) => engine.podman('port', id, '3000/tcp')));
      return published.map((address) => `http://${address.trim()}`);
    },
  };

  function blockOf(name: string): string {
    const found = blocks.find(({ containers }) => containers === name);
    if (found === undefined) throw new Error(`docs/operations.md has no block ${name}`);
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
