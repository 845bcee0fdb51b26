import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigSchema } from '#platform/config/config.ts';
import { dynamicConfig, startDev } from '#worker/standalone/temporal/temporal.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

type Service = {
  image: string;
  build?: string;
  container_name?: string;
  restart: string;
  cap_drop: string[];
  security_opt: string[];
  read_only: boolean;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  environment?: Record<string, string | number>;
  ports?: string[];
  volumes?: string[];
  command?: string[];
  networks: string[];
  healthcheck?: { test: string[]; disable?: boolean };
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
};
const text = read('docker-compose.yml');
const compose: { services: Record<string, Service> } = parse(text, { merge: true });
const services = Object.entries(compose.services);
const ofProduct = services.filter(([, { build }]) => build !== undefined);
const service = (name: string) => compose.services[name] as Service;

/** Each `${NAME}`, `${NAME:-default}` and `${NAME:?message}` of the file. For the first form `kind` is undefined. */
const variables = [...text.matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)].map(
  ([, name = '', kind, rest = '']) => ({ name, kind, rest }),
);

const passwords = ['POSTGRES', 'OWNER', 'APP', 'HOUSEKEEPING', 'TEMPORAL'].map((role) => `${role}_PASSWORD`);

test.each([...passwords, 'SECRETS_KEY', 'LEDGER_KEY', 'PUBLIC_URL'])(
  '%s is asked for and has no default',
  (name) => {
    const uses = variables.filter((variable) => variable.name === name);
    expect(uses.map(({ kind }) => kind)).toContain('?');
    expect(uses.filter(({ kind }) => kind === '-')).toEqual([]);
  },
);

test('a variable that is not asked for has a default that is no secret', () => {
  const asked = variables.filter(({ kind }) => kind === '?').map(({ name }) => name);
  const others = variables.filter(({ name }) => !asked.includes(name));
  expect(others.filter(({ kind }) => kind !== '-')).toEqual([]);
  for (const { name } of others) expect(name).not.toMatch(/KEY|SECRET|PASSWORD|TOKEN/);
});

describe('the settings of the product', () => {
  /** Settings that a deployment in containers does not need, or does not need yet. */
  const leftOut = [
    ...['DATA_DIR', 'CACHE_DIR', 'TEMPORAL_UI_PORT', 'IDIN_SIMULATOR_PORT'],
    ...['TEMPORAL_TLS_CA', 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY', 'TEMPORAL_API_KEY'],
  ];
  /** Only a worker signs the ledger, deletes old data, reads documents and delivers, so no other process gets what that needs. */
  const ofWorkerAlone = [
    ...['LEDGER_KEY', 'LEDGER_DIR', 'HOUSEKEEPING_DATABASE_URL'],
    ...['INCOME_TRUSTED_CERTIFICATES', 'INCOME_SIGNED_DOCUMENTS'],
    ...['WEBHOOK_ATTEMPTS', 'WEBHOOK_ATTEMPTS_PER_ENDPOINT', 'WEBHOOK_DELIVERIES_PER_MINUTE'],
  ];
  const ofMigrateAlone = ['OWNER_DATABASE_URL'];
  const known = Object.keys(ConfigSchema.shape);

  test('that are named exist', () => {
    for (const [name, { environment = {} }] of ofProduct)
      expect([name, Object.keys(environment).filter((variable) => !known.includes(variable))]).toEqual([
        name,
        [],
      ]);
  });

  test('are all passed on to the API, but for those of other kinds of deployment', () => {
    const passedOn = Object.keys(service('api').environment ?? {});
    const others = known.filter((variable) => !passedOn.includes(variable));
    expect(others.toSorted()).toEqual([...leftOut, ...ofWorkerAlone, ...ofMigrateAlone].toSorted());
  });

  test('have the same defaults', () => {
    const given = { ...service('api').environment, ...service('worker').environment };
    const counts = ['DATABASE_CONNECTIONS', ...ofWorkerAlone.filter((name) => name.startsWith('WEBHOOK_'))];
    for (const name of counts)
      expect(given[name]).toBe(
        `\${${name}:-${ConfigSchema.parse({})[name as keyof typeof ConfigSchema.shape]}}`,
      );
  });

  test('are the same for API and worker where both read them', () => {
    const { environment: worker = {} } = service('worker');
    const shared = Object.entries(worker).filter(([name]) => !ofWorkerAlone.includes(name));
    expect(Object.keys(worker)).toEqual(expect.arrayContaining(ofWorkerAlone));
    expect(service('api').environment).toMatchObject(Object.fromEntries(shared));
  });
});

const endsByItself = services.filter(([, { restart }]) => restart === 'on-failure').map(([name]) => name);

test('what runs on has a health check and is started again; what ends is waited for', () => {
  for (const [name, { restart, healthcheck, depends_on = {} }] of services) {
    if (!endsByItself.includes(name)) {
      expect([name, restart]).toEqual([name, 'unless-stopped']);
      expect(healthcheck?.test, `${name}'s health check`).toEqual(expect.arrayContaining(['CMD']));
    }
    for (const [other, { condition }] of Object.entries(depends_on))
      expect([name, other, condition]).toEqual([
        name,
        other,
        endsByItself.includes(other)
          ? 'service_completed_successfully'
          : expect.stringMatching(/^service_(healthy|started)$/),
      ]);
  }
  expect(endsByItself.sort()).toEqual(['migrate', 'roles', 'temporal-schema']);
});

test('only the container that creates the roles, and Postgres itself, know the password of the superuser', () => {
  const knowing = services.filter(([, each]) => JSON.stringify(each).includes('${POSTGRES_PASSWORD'));
  expect(knowing.map(([name]) => name).sort()).toEqual(['postgres', 'roles']);
});

test('a container knows the passwords of its own roles alone', () => {
  const rolesOf = ([name, each]: (typeof services)[number]) => [
    name,
    passwords.slice(1).filter((password) => JSON.stringify(each).includes(`\${${password}`)),
  ];
  expect(Object.fromEntries(services.filter(([name]) => name !== 'roles').map(rolesOf))).toMatchObject({
    api: ['APP_PASSWORD'],
    worker: ['APP_PASSWORD', 'HOUSEKEEPING_PASSWORD'],
    migrate: ['OWNER_PASSWORD', 'APP_PASSWORD'],
    temporal: ['TEMPORAL_PASSWORD'],
    'temporal-schema': ['TEMPORAL_PASSWORD'],
    'temporal-ui': [],
    redis: [],
  });
});

test('everything starts after what it needs: databases, then schemas, then Temporal, then the product', () => {
  const before = (name: string): string[] =>
    Object.keys(service(name).depends_on ?? {}).flatMap((other) => [other, ...before(other)]);
  for (const name of ['api', 'worker'])
    expect(before(name)).toEqual(
      expect.arrayContaining(['migrate', 'postgres', 'roles', 'temporal', 'temporal-schema']),
    );
});

test('every image is pinned to a release, and ours to the version of package.json', () => {
  const { version } = JSON.parse(read('package.json'));
  for (const [name, { image, build }] of services)
    expect([name, image]).toEqual([
      name,
      build ? `verification-service:\${VERSION:-${version}}` : expect.stringMatching(/:\d+\.\d+[\w.-]*$/),
    ]);
});

test('ports are published on loopback only, unless the API is told otherwise', () => {
  for (const [name, { ports = [] }] of services)
    for (const port of ports)
      expect(port).toMatch(name === 'api' ? /^\$\{API_BIND:-127\.0\.0\.1\}:/ : /^127\.0\.0\.1:/);
  expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['api', 'temporal-ui']);
});

test('every container has a limit of memory, and those of the product have room for several isolated programs', () => {
  const gigabytesOf = (name: string, text = '') => {
    const [, number = '', unit] = /(?:^|:-)(\d+)([mg])\}?$/.exec(text) ?? [];
    return { name, gigabytes: Number(number) / (unit === 'm' ? 1_024 : 1) };
  };
  const limits = services.map(([name, { mem_limit }]) => gigabytesOf(name, mem_limit));
  for (const limit of limits) expect(limit.gigabytes, limit.name).toBeGreaterThan(0);
  const product = limits.filter(({ name }) => ['api', 'worker'].includes(name));
  for (const limit of product) expect(limit.gigabytes, limit.name).toBeGreaterThanOrEqual(3);
});

test('the log of every container is bounded', () => {
  const options = services.map(([, { logging }]) => logging?.options);
  expect(options).toEqual(services.map(() => ({ 'max-size': '50m', 'max-file': '4' })));
});

test('nothing but the product and the UI has a way out or in', () => {
  const outside = services.filter(([, { networks }]) => networks.includes('outside')).map(([name]) => name);
  expect(outside.sort()).toEqual(['api', 'migrate', 'temporal-ui', 'worker']);
});

test('every container is without capabilities, new privileges and, but for the UI, a writable root', () => {
  for (const [name, { cap_drop, security_opt, read_only }] of services)
    expect({ name, cap_drop, security_opt, read_only }).toEqual({
      name,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: name !== 'temporal-ui',
    });
});

test("Temporal's UI cannot change anything, unless an operator allows it by name", () => {
  expect(service('temporal-ui').environment?.TEMPORAL_DISABLE_WRITE_ACTIONS).toMatch(
    /^\$\{TEMPORAL_UI_READ_ONLY:-true\}$/,
  );
});

test('API and worker can be scaled: no fixed name, and a range of ports for several APIs', () => {
  expect(services.filter(([, { container_name }]) => container_name)).toEqual([]);
  expect(service('api').ports).toEqual([
    expect.stringMatching(/:\$\{API_PORTS:-3000\}:3000$/),
    expect.stringMatching(/:\$\{CONSOLE_PORTS:-3001\}:3001$/),
  ]);
});

test('a container is given longer to stop than its process takes at most, and 25 seconds at most', () => {
  const seconds = (name: string) => Number.parseInt(service(name).stop_grace_period ?? '', 10);
  const drainMs = Number(/const drainMs = ([\d_]+);/.exec(read('api/http-server.ts'))?.[1]?.replace('_', ''));
  const forceSeconds = Number(/shutdownForceTime: '(\d+)s'/.exec(read('worker/worker.ts'))?.[1]);
  expect(seconds('api')).toBeGreaterThanOrEqual(drainMs / 1_000 + 2);
  expect(seconds('worker')).toBeGreaterThanOrEqual(forceSeconds + 2);
  for (const part of ['api', 'worker']) expect(seconds(part)).toBeLessThanOrEqual(25);
});

/** The number in a text such as `max_connections=${POSTGRES_CONNECTIONS:-300}`. */
const defaultIn = (text: string | number | undefined): number =>
  Number(/(\d+)\}?$/.exec(String(text))?.[1] ?? Number.NaN);

test('Postgres has room for the connections of two APIs, two workers, Temporal and commands', () => {
  const allowed = defaultIn(service('postgres').command?.at(-1));
  const { SQL_MAX_CONNS, SQL_MAX_IDLE_CONNS, SQL_VIS_MAX_CONNS, SQL_VIS_MAX_IDLE_CONNS } =
    service('temporal').environment ?? {};
  expect([SQL_MAX_IDLE_CONNS, SQL_VIS_MAX_IDLE_CONNS]).toEqual([SQL_MAX_CONNS, SQL_VIS_MAX_CONNS]);
  const ofProcess = defaultIn(service('api').environment?.DATABASE_CONNECTIONS);
  const ofPurge = Number(/openStore\(url, (\d+)\)/.exec(read('shared/store/database/connection.ts'))?.[1]);
  /** One container runs the services frontend, history, matching and worker, each with connections of its own. */
  const ofTemporal = 4 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS));
  const sums = { apis: 2 * ofProcess, workers: 2 * (ofProcess + ofPurge), temporal: ofTemporal, others: 20 };
  const all = Object.values(sums).reduce((sum, count) => sum + count, 0);
  expect(all).toBeLessThanOrEqual(allowed);

  const documented = [...read('docs/operations.md').matchAll(/^\| .* \| (\d+) \|$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(documented).toEqual([...Object.values(sums), all]);
});

test('a new database of Temporal gets 512 history shards', () => {
  expect(service('temporal').environment?.NUM_HISTORY_SHARDS).toBe(512);
});

test('what the flags say of namespaces and queues is for ours alone', () => {
  const flags: Record<string, { constraints?: { namespace: string } }[]> = JSON.parse(
    read('worker/standalone/temporal-flags.json'),
  );
  const { TEMPORAL_NAMESPACE: namespace } = ConfigSchema.parse({});
  const ours = Object.entries(flags).filter(([, [flag]]) => flag?.constraints !== undefined);
  for (const [name, [flag]] of ours) expect([name, flag?.constraints]).toEqual([name, { namespace }]);
  const ofTheServer = Object.keys(flags).filter((name) => !ours.some(([each]) => each === name));
  expect(ofTheServer).toEqual([
    ...['frontend.rps', 'history.rps', 'matching.rps'],
    ...['history.transferProcessorMaxPollRPS', 'history.timerProcessorMaxPollRPS'],
    'system.forceSearchAttributesCacheRefreshOnRead',
  ]);
});

test("Temporal's container gets the flags that npm start gives its own server, which may skip time besides", () => {
  const { environment = {}, volumes = [] } = service('temporal');
  const [source = '', target, mode] = (volumes[0] ?? '').split(':');
  expect([target, mode]).toEqual([environment.DYNAMIC_CONFIG_FILE_PATH, 'ro']);
  const mounted: Record<string, { value: unknown }[]> = parse(read(source));
  const flags = Object.fromEntries(Object.entries(mounted).map(([name, values]) => [name, values[0]?.value]));
  expect(Object.keys(flags).length).toBeGreaterThan(5);
  expect(dynamicConfig).toEqual({ ...flags, 'frontend.WorkflowTimeSkippingEnabled': true });

  const say = () => undefined;
  const options = { binary: '', dbFile: null, uiPort: null, logFile: '', searchAttributes: {}, say };
  const words = startDev(options, 7233);
  const given = words.filter((_, i) => words[i - 1] === '--dynamic-config-value');
  expect(given).toEqual(Object.entries(dynamicConfig).map(([name, value]) => `${name}=${value}`));
});

/** The plugin of Docker, or the separate program of Debian. */
const composer = [['docker', 'compose'], ['docker-compose']].find(
  ([command = '', ...words]) => spawnSync(command, [...words, 'version']).status === 0,
);
const noComposer =
  'neither `docker compose` nor docker-compose is installed (Debian: apt-get install docker-compose)';

describe('a compose program', () => {
  beforeEach(({ skip }) => skip(composer === undefined, noComposer));

  const given = {
    ...Object.fromEntries(passwords.map((name) => [name, `the-${name.toLowerCase()}`])),
    SECRETS_KEY: 's',
    LEDGER_KEY: 'l',
    PUBLIC_URL: 'https://verify.partner-test.example',
  };
  const run = (env: Record<string, string>) => {
    const [command = '', ...words] = composer ?? [];
    return promisify(execFile)(command, [...words, '-f', join(root, 'docker-compose.yml'), 'config'], {
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
  };

  test.concurrent('reads the file as we do', async ({ expect }) => {
    const { stdout } = await run(given);
    const read: typeof compose = parse(stdout);
    expect(Object.keys(read.services).sort()).toEqual(Object.keys(compose.services).sort());
    expect(read.services.api?.environment?.DATABASE_URL).toBe(
      'postgres://verification_app:the-app_password@postgres:5432/verification',
    );
  });

  test.concurrent.for(Object.keys(given))('refuses to begin without %s', async (name, { expect }) => {
    const others = Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));
    await expect(run(others)).rejects.toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringMatching(/mandatory|required/i),
    });
  });
});
