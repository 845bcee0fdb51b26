import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const workflowFile = (name: string) => fileURLToPath(new URL(`../workflows/${name}`, import.meta.url));

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

/** The bundler throws what went wrong; the rest of what it says is of no use to anyone. */
const silent = () => undefined;
const quiet = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
