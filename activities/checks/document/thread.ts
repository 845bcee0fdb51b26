import { parentPort, workerData } from 'node:worker_threads';
import { examine, type Tools } from './examine.ts';
import { templatesOf } from './grid.ts';
import type { Job, Result } from './job.ts';
import { loadModels } from './models.ts';

/** The thread in which documents are examined. No native code runs in it, so it can be ended at any moment. */

const port = parentPort;
const glyphs: Uint8Array<ArrayBuffer>[] = workerData.glyphs;
let tools: Promise<Tools> | undefined;

const loadTools = async (): Promise<Tools> => ({
  models: await loadModels(),
  templates: templatesOf(glyphs),
});

/** What went wrong is not told: an error's words could quote what was read. */
async function resultOf({ pictures, today }: Job): Promise<Result> {
  try {
    tools ??= loadTools();
    return { checks: await examine(pictures, today, await tools) };
  } catch {
    return { checks: undefined };
  }
}

port?.on('message', (job: Job) => {
  void resultOf(job).then((result) => port.postMessage(result));
});
