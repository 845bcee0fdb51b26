import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkerOptions } from '@temporalio/worker';
import { sha256Hex } from '#platform/crypto/crypto.ts';

const ownRoot = fileURLToPath(new URL('..', import.meta.url));

/** The folder for the bundles that `npm run bundle` builds. */
export const builtFolder = join(ownRoot, '.build');

/** The workflow code of one build. Every run belongs to the build that began it (`workflows/own-history.ts`). */
export type WorkflowBuild = {
  /** Follows from the workflow code alone. Two versions of the product with the same workflow code have the same id. */
  buildId: string;
  bundle: NonNullable<WorkerOptions['workflowBundle']>;
};

type Wanted = { traced: boolean; folder?: string };

/**
 * Returns the bundle that was built earlier from exactly this code. If there is none, builds it now, which takes one or two
 * seconds.
 */
export async function workflowBuild({ traced, folder = builtFolder }: Wanted): Promise<WorkflowBuild> {
  const codePath = builtFile({ traced, folder });
  if (existsSync(codePath)) return { buildId: buildIdOf(ownRoot), bundle: { codePath } };
  return bundleWorkflows({ traced });
}

/** Builds the bundle with traces and the bundle without traces. Returns the paths of the two files. */
export const buildAhead = (folder = builtFolder): Promise<string[]> =>
  Promise.all([false, true].map((traced) => build({ traced, folder })));

async function build(wanted: Required<Wanted>): Promise<string> {
  const file = builtFile(wanted);
  const { bundle } = await bundleWorkflows(wanted);
  mkdirSync(wanted.folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, bundle.code);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** The file name contains the id of the build, so a worker never loads a bundle of other code. */
const builtFile = ({ traced, folder }: Required<Wanted>): string =>
  join(folder, `workflows-${buildIdOf(ownRoot)}${traced ? '-traced' : ''}.js`);

/**
 * Builds one bundle of the workflow code for Temporal's sandbox. If `traced` is true, the workflows also pass the trace context to
 * activities. `root` is the folder of the product.
 */
export async function bundleWorkflows({ traced = false, root = ownRoot } = {}) {
  const file = (name: string) => join(root, 'workflows', name);
  const buildId = buildIdOf(root);
  const { code } = await bundleWorkflowCode({
    workflowsPath: file('index.ts'),
    workflowInterceptorModules: [file('own-history.ts'), ...(traced ? [file('trace-header.ts')] : [])],
    logger: quiet,
  });
  return { buildId, bundle: { code: code.replace('the id of this build', buildId) } };
}

/** The bundler throws its errors, so its log lines are not needed. */
const silent = () => undefined;
const quiet = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };

/** The code in a bundle (test/architecture.test.ts), and the packages that are in it or translate it. */
const sources = [
  'workflows/**/*.ts',
  'shared/policy/**/*.ts',
  'shared/contract/{enums,limits,time,workflows}.ts',
];
const packages = /^node_modules\/(@temporalio\/.*|nexus-rpc|ms|long|@swc\/core|swc-loader|webpack)$/;

/** The id of the build of the workflow code in this folder: 32 hexadecimal digits. */
export function buildIdOf(folder: string): string {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const code = globSync(sources, { cwd: folder })
    .sort()
    .map((file) => `${file}\0${read(file)}\0`);
  const locked = Object.entries<{ version: string }>(JSON.parse(read('package-lock.json')).packages)
    .filter(([name]) => packages.test(name))
    .map(([name, { version }]) => `${name}@${version}\0`);
  return sha256Hex([...code, ...locked].join('')).slice(0, 32);
}
