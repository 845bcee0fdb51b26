import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkerOptions, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where `npm run bundle` leaves what it built. */
export const builtFolder = join(root, '.build');

/**
 * The workflow code as Temporal's sandbox loads it: one bundle, built once and shared by the workers of a process. Where traces are
 * collected, it hands them on as well.
 */
export const bundleWorkflows = ({ traced = false } = {}): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: workflowFile('index.ts'),
    workflowInterceptorModules: traced ? [workflowFile('trace-header.ts')] : [],
    logger: quiet,
  });

const workflowFile = (name: string) => join(root, 'workflows', name);

/** The bundler throws what went wrong; the rest of what it says is of no use to anyone. */
const silent = () => undefined;
const quiet = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };

type Wanted = { traced: boolean; folder?: string };

/** The bundle that was built ahead for exactly this code; where there is none it is built now, which takes a second or two. */
export async function workflowBundle({
  traced,
  folder = builtFolder,
}: Wanted): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  const codePath = builtFile({ traced, folder });
  return existsSync(codePath) ? { codePath } : await bundleWorkflows({ traced });
}

/** Builds both bundles ahead; returns their files. */
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

/** All that a bundle is made of: our code in it, and the versions of every package. */
const sources = ['workflows/**/*.ts', 'shared/{contract,policy}/**/*.ts', 'package-lock.json'];

/** The name of a bundle says what it was made of, so that one of another version of the code is never taken for ours. */
export function digestOfSources(folder: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: folder }).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}
