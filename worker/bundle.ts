import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkerOptions, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder for the bundles that `npm run bundle` builds. */
export const builtFolder = join(root, '.build');

/**
 * Builds one bundle of the workflow code for Temporal's sandbox. If `traced` is true, the workflows also pass the trace context to
 * activities.
 */
export const bundleWorkflows = ({ traced = false } = {}): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: workflowFile('index.ts'),
    workflowInterceptorModules: traced ? [workflowFile('trace-header.ts')] : [],
    logger: quiet,
  });

const workflowFile = (name: string) => join(root, 'workflows', name);

/** The bundler throws its errors, so its log lines are not needed. */
const silent = () => undefined;
const quiet = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };

type Wanted = { traced: boolean; folder?: string };

/**
 * Returns the bundle that was built earlier from exactly this code. If there is none, builds it now, which takes one or two
 * seconds.
 */
export async function workflowBundle({
  traced,
  folder = builtFolder,
}: Wanted): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  const codePath = builtFile({ traced, folder });
  return existsSync(codePath) ? { codePath } : await bundleWorkflows({ traced });
}

/** Builds the bundle with traces and the bundle without traces. Returns the paths of the two files. */
export const buildAhead = (folder = builtFolder): Promise<string[]> =>
  Promise.all([false, true].map((traced) => build({ traced, folder })));

async function build(wanted: Required<Wanted>): Promise<string> {
  const file = builtFile(wanted);
  const { code } = await bundleWorkflows(wanted);
  mkdirSync(wanted.folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, code);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

const builtFile = ({ traced, folder }: Required<Wanted>): string =>
  join(folder, `workflows-${digestOfSources(root)}${traced ? '-traced' : ''}.js`);

/** The files that a bundle depends on. The lock file stands for the versions of all packages. */
const sources = ['workflows/**/*.ts', 'shared/{contract,policy}/**/*.ts', 'package-lock.json'];

/** The file name of a bundle contains this digest, so a worker never loads a bundle of other code. */
export function digestOfSources(folder: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: folder }).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}
