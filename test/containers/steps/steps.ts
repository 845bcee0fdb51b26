import { setTimeout as pause } from 'node:timers/promises';
import type { Container, Deployment } from '../deployment.ts';
import type { Engine } from '../engine.ts';
import { cellsOf, faultsOf, lookAt } from '../kernel.ts';
import { cloneVersionBefore, releaseThisVersion } from '../repository.ts';
import { buildStandIns } from '../stand-ins.ts';
import { type Partner, startPartner } from './partner.ts';
import { expect, fail, partnerOf, type Scene, type Step } from './step.ts';
import { stepsWithPeople } from './steps-with-people.ts';
import { stepsWithTemporal } from './steps-with-temporal.ts';

export const steps: Step[] = [
  {
    title: 'images stand in for the published ones, under their names',
    async run({ engine }) {
      const names = await buildStandIns(engine);
      return [...names, `podman stores them by ${engine.driver}`];
    },
  },
  {
    title:
      'deploy: the Dockerfile of the version before is built, compose brings all of it up, and a key is made',
    async run(scene) {
      const { engine, deployment } = scene;
      const before = await cloneVersionBefore(engine.folder);
      scene.newMigrations = before.newMigrations;
      const said = await deployment.block('deploy');
      scene.liveKey = /svc_live_\w+/.exec(said)?.[0] ?? fail('no key was printed');
      return [before.said, 'a live key was printed'];
    },
  },
  {
    title: 'every container that runs on is healthy, and those that prepare have ended well',
    async run({ engine, deployment }) {
      const running = await deployment.healthy();
      const once = (await deployment.containers()).filter(({ service }) => !deployment.runsOn(service));
      for (const { id, name } of once) {
        const state = await engine.podman('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', id);
        expect(state.trim() === 'exited 0', `${name} is ${state}`);
      }
      return [`healthy: ${namesOf(running)}`, `ended with 0: ${namesOf(once)}`];
    },
  },
  {
    title:
      'the kernel shows each process without root, capabilities or new privileges, and the mounts of the file',
    run: (scene) => shown(scene, 'deployed'),
  },
  {
    title: 'a key from the command in the container creates a verification, and its event arrives signed',
    async run(scene) {
      const { engine, deployment } = scene;
      const made = await deployment.shell(
        'docker compose exec api node worker/commands/keys.ts create --org Acme --environment sandbox --rate-limit 100000 --json',
      );
      const [outside] = JSON.parse(await engine.podman('network', 'inspect', 'deployment_outside'));
      const address: string = outside.subnets[0].gateway;
      const folder = `${engine.folder}/receiver`;
      scene.partner = await startPartner(folder, address, JSON.parse(made).key, () => deployment.apis());
      await scene.partner.register();
      const { id } = await scene.partner.create();
      await scene.partner.hears([id]);
      scene.earlier = [id];
      return [`the event of ${id} arrived at ${address}, and verify-webhook.mjs accepts its signature`];
    },
  },
  { title: 'upgrade: workers of both versions side by side, then only the new version', run: upgrade },
  {
    title: 'the kernel shows the same of every container of the new version',
    run: (scene) => shown(scene, 'upgraded'),
  },
  ...stepsWithPeople,
  { title: 'two APIs and two workers, and requests go on meanwhile', run: scale },
  {
    title: 'the kernel shows the same of both APIs and both workers',
    run: (scene) => shown(scene, 'scaled', ['api', 'worker']),
  },
  ...['api', 'worker', 'postgres', 'redis', 'temporal', 'temporal-ui'].map((service) => ({
    title: `kill -9 of ${service}: it is started again, and all that was acknowledged completes`,
    run: (scene: Scene) => kill(scene, service),
  })),
  { title: 'back up, lose what came later, restore', run: restore },
  ...stepsWithTemporal,
  {
    title: 'compose takes everything down, and nothing is left',
    async run({ engine, deployment }) {
      const abandoned = await abandonedVolumes(engine);
      await deployment.shell('docker compose down --volumes --timeout 20');
      const [containers = '', volumes = '', networks = ''] = await Promise.all([
        engine.podman('ps', '--all', '--format', '{{.Names}}'),
        engine.podman('volume', 'ls', '--format', '{{.Name}}'),
        engine.podman('network', 'ls', '--format', '{{.Name}}', '--filter', 'name=deployment'),
      ]);
      const kept = volumes.split('\n').filter((name) => !abandoned.includes(name));
      const left = [containers, ...kept, networks].join(' ').trim();
      expect(left === '', `left: ${left}`);
      expect(deployment.left.size === 0, `not run: ${[...deployment.left].join(', ')}`);
      return [
        'no container, volume or network is left, and every block for compose in docs/operations.md was run',
      ];
    },
  },
];

/**
 * Under a read-only root, podman gives a container with a tmpfs below /run a nameless volume there. When compose replaces the container,
 * because the version before described it otherwise, podman keeps that volume, and no container uses it. Docker makes none. Not every
 * version of podman can filter by the missing name, so the form of its 64 digits tells.
 */
async function abandonedVolumes(engine: Engine): Promise<string[]> {
  const unused = await engine.podman('volume', 'ls', '--filter', 'dangling=true', '--format', '{{.Name}}');
  return unused.split('\n').filter((name) => /^[0-9a-f]{64}$/.test(name));
}

/** Looks at the containers of these services. One that prepares and ends is started again with `sleep` in place of its program. */
async function shown(
  scene: Scene,
  when: string,
  wanted = Object.keys(scene.deployment.services()),
): Promise<string[]> {
  const { engine, deployment, views } = scene;
  const services = deployment.services();
  const faults: string[] = [];
  const lines: string[] = [];
  const look = async (container: Container): Promise<void> => {
    const { name, service, image } = container;
    const seen = lookAt(container);
    const [{ Config: config }] = JSON.parse(await engine.podman('image', 'inspect', image));
    const promised = services[service] ?? fail(`${service} is not in the file`);
    const found = faultsOf(promised, Object.keys(config.Volumes ?? {}), seen);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    lines.push(`${name}: ${cellsOf(seen).join(', ')}`);
    views.push({ when, container: name, seen });
  };
  for (const container of await deployment.healthy())
    if (wanted.includes(container.service)) await look(container);
  for (const service of wanted) if (!deployment.runsOn(service)) await deployment.asleep(service, look);
  expect(faults.length === 0, [...faults, ...lines].join('\n'));
  return lines;
}

const namesOf = (containers: Container[]) =>
  containers
    .map(({ name }) => name)
    .sort()
    .join(' ');

async function upgrade(scene: Scene): Promise<string[]> {
  const { engine, deployment } = scene;
  const partner = partnerOf(scene);
  const held = (await partner.create(true)).id;
  const [oldWorker = fail('no worker runs')] = await deployment.containers('worker');
  await releaseThisVersion(engine.folder);
  const seen: string[] = [];
  for (const line of deployment.lines('upgrade')) {
    if (line.endsWith(' worker')) seen.push(await sideBySide(scene, oldWorker));
    const said = await deployment.shell(line);
    if (line.endsWith(' migrate')) seen.push(migrated(scene, said));
    // An API that was created again has another port, if a range is given.
    await partner.lookAgain();
  }
  await deployment.healthy();
  const ours = [...(await deployment.containers('api')), ...(await deployment.containers('worker'))];
  expect(
    ours.every(({ image }) => image !== oldWorker.image),
    'a container of the old version runs',
  );
  await partner.complete(held);
  await partner.hears([held, (await partner.create()).id]);
  return [
    ...seen,
    `only ${short(ours[0])} runs: ${namesOf(ours)}; a verification of the old version completed on it`,
  ];
}

/** The migrations that ran must be those that the version before does not have. */
function migrated({ newMigrations }: Scene, said: string): string {
  const missing = newMigrations.filter((name) => !said.includes(name));
  expect(missing.length === 0, `not migrated: ${missing.join(', ')}\n${said}`);
  return `migrated: ${newMigrations.join(', ') || 'nothing, since this is the same version'}`;
}

/** Starts a worker of the new version beside that of the old one, and lets them share work. */
async function sideBySide(scene: Scene, oldWorker: Container): Promise<string> {
  const { deployment } = scene;
  const partner = partnerOf(scene);
  await deployment.shell('docker compose up --detach --no-deps --no-recreate --scale worker=2 worker');
  const both = (await deployment.healthy()).filter(({ service }) => service === 'worker');
  const [newer = fail('no second worker runs')] = both.filter(({ image }) => image !== oldWorker.image);
  expect(both.length === 2, `workers: ${namesOf(both)}`);
  const ids = await many(partner, 10);
  return `workers ${short(oldWorker)} and ${short(newer)} side by side: ${await partner.hears(ids)} events arrived`;
}

const short = (container: Container | undefined) => `image ${container?.image.slice(0, 12)}`;

/** Creates verifications, half of them completed in a second request. */
async function many(partner: Partner, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const held = number % 2 === 1;
    const { id } = await partner.create(held);
    if (held) await partner.complete(id);
    ids.push(id);
  }
  return ids;
}

/** Creates verifications one after the other until the work is done. */
async function during(partner: Partner, work: () => Promise<unknown>): Promise<string[]> {
  let isDone = false;
  const creating = (async () => {
    const ids: string[] = [];
    for (; !isDone; await pause(100)) ids.push(...(await many(partner, 2)));
    return ids;
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await creating.catch(() => undefined);
  }
  return creating;
}

async function scale(scene: Scene): Promise<string[]> {
  const { deployment } = scene;
  const partner = partnerOf(scene);
  const [line = ''] = deployment.lines('scale');
  const ranges = { api: deployment.ports.api.join('-'), console: deployment.ports.console.join('-') };
  const ids = await during(partner, async () => {
    const asked = pause(1_000);
    await deployment.shell(line.replace('3000-3001', ranges.api).replace('3101-3102', ranges.console));
    // From now on every command of the operator has these ranges, as in the file .env.
    deployment.env.API_PORTS = ranges.api;
    deployment.env.CONSOLE_PORTS = ranges.console;
    await Promise.all([asked, deployment.healthy()]);
  });
  await partner.lookAgain();
  const containers = await deployment.healthy();
  const ours = containers.filter(({ service }) => ['api', 'worker'].includes(service));
  expect(ours.length === 4, `there are ${namesOf(ours)}`);
  const after = await many(partner, 10);
  await partner.hears([...ids, ...after]);
  return [
    `healthy: ${namesOf(ours)}; APIs at ${(await deployment.apis()).join(' ')}`,
    `${ids.length} verifications were created meanwhile and ${after.length} by both APIs in turn: all events arrived once`,
  ];
}

async function kill(scene: Scene, service: string): Promise<string[]> {
  const { deployment } = scene;
  const partner = partnerOf(scene);
  const held = (await partner.create(true)).id;
  const [victim = fail(`no ${service} runs`)] = await deployment.containers(service);
  const killedAt = Date.now();
  let backMs = 0;
  const ids = await during(partner, async () => {
    process.kill(victim.pid, 'SIGKILL');
    await isBack(deployment, victim);
    backMs = Date.now() - killedAt;
    await pause(1_000);
  });
  await partner.complete(held);
  const count = await partner.hears([held, ...ids]);
  const seconds = (backMs / 1_000).toFixed(1);
  return [
    `${victim.name}: healthy again after ${seconds} s; the events of ${count} verifications arrived once`,
  ];
}

/** The same container runs again with another process, and its check says that it is well. */
async function isBack(deployment: Deployment, { id, pid, service }: Container): Promise<void> {
  for (const until = Date.now() + 300_000; ; await pause(200)) {
    const now = (await deployment.containers(service)).find((container) => container.id === id);
    if (now !== undefined && now.pid > 0 && now.pid !== pid) break;
    if (Date.now() > until) fail(`${service} was not started again`);
  }
  await deployment.healthy();
}

async function restore(scene: Scene): Promise<string[]> {
  const { deployment, earlier } = scene;
  const partner = partnerOf(scene);
  const [completed = ''] = earlier;
  const before = await partner.call('GET', `/verifications/${completed}`);
  const held = (await partner.create(true)).id;
  await deployment.block('back-up');
  const lost = (await partner.create(true)).id;
  const said = await deployment.block('restore');
  await deployment.healthy();
  await partner.lookAgain();
  const [same, gone] = [
    await partner.call('GET', `/verifications/${completed}`),
    await partner.call('GET', `/verifications/${lost}`),
  ];
  expect(JSON.stringify(same) === JSON.stringify(before), `${completed} has changed`);
  expect(gone.status === 404, `${lost}, which is not in the dump, answers ${gone.status}`);
  await partner.complete(held);
  await partner.hears([held]);
  return [
    `${completed} is as it was, ${lost} is gone, and ${held} completed`,
    ...said.split('\n').filter((line) => /^(workflows|ledger|rows|deliveries)/.test(line)),
  ];
}
