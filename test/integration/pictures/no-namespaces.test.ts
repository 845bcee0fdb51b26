import { expect, inject, onTestFinished, test } from 'vitest';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { type Program, runCommand, runProgram } from '#test/support/program.ts';
import { createDatabase } from '#test/support/servers/database.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { noNamespacesLine, withoutNamespaces } from '#test/support/servers/without-namespaces.ts';

const { roleUrls } = await createDatabase({ migrated: true });
const { namespaces } = await findIsolation({ warn: () => undefined });

async function environment() {
  const port = String(await freePort());
  return {
    DATABASE_URL: roleUrls.app,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: port,
    LOG_FORMAT: 'json',
  };
}

/** How often the program has said that it cannot isolate what it starts, when it runs. */
async function lines(program: Program, running: string): Promise<number> {
  onTestFinished(async () => {
    program.signal('SIGKILL');
    await program.exited;
  });
  await program.says(running);
  return program.output().split(noNamespacesLine).length - 1;
}

test.each([
  ['api/main.ts', 'API listens'],
  ['worker/main.ts', 'worker runs'],
])(
  'where the machine allows no namespaces, %s says so once at its start, and runs',
  async (file, running) => {
    const [command, ...words] = withoutNamespaces(file);
    const env = { ...process.env, ...(await environment()) };
    const options = { name: `without-namespaces-${file.replaceAll('/', '-')}`, env };
    expect(await lines(runCommand(command, words, options), running)).toBe(1);
    expect(await lines(runProgram(file, await environment()), running)).toBe(namespaces ? 0 : 1);
  },
);
