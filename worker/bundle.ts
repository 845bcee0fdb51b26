import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkerOptions, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder of the bundles that `npm run bundle` builds. */
export const builtFolder = join(root, '.build');

/**
 * Builds the workflow code as one bundle, in the form that Temporal's sandbox loads. All workers of a process share it. With `traced`
 * it also passes traces on to activities.
 */
export const bundleWorkflows = ({ traced = false } = {}): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: workflowFile('index.ts'),
    workflowInterceptorModules: traced ? [workflowFile('trace-header.ts')] : [],
    logger: quiet,
  });

const workflowFile = (name: string) => join(root, 'workflows', name);

/** The bundler throws its errors. Its log lines are of no use. */
const silent = () => undefined;
const quiet = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };

type Wanted = { traced: boolean; folder?: string };

/** Returns the bundle that was built ahead for exactly this code, or builds it now, which takes one or two seconds. */
export async function workflowBundle({
  traced,
  folder = builtFolder,
}: Wanted): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  const codePath = builtFile({ traced, folder });
  return existsSync(codePath) ? { codePath } : await bundleWorkflows({ traced });
}

/** Builds both bundles (with and without traces) and returns their files. */
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

/** Everything that a bundle is built from: our code, and the versions of all packages. */
const sources = ['workflows/**/*.ts', 'shared/{contract,policy}/**/*.ts', 'package-lock.json'];

/** Part of a bundle's file name, so that a worker never loads the bundle of another version of the code. */
export function digestOfSources(folder: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: folder }).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}
