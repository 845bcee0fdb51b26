import { parentPort, workerData } from 'node:worker_threads';
import { examine, type Tools } from './examine.ts';
import type { Job, Result } from './job.ts';
import { loadModels } from './models.ts';
import { templatesOf } from './templates.ts';

/** The program of the document thread. The thread runs no native code, so it can be terminated at any moment. */

const port = parentPort;
const glyphs: Uint8Array<ArrayBuffer>[] = workerData.glyphs;
let tools: Promise<Tools> | undefined;

const loadTools = async (): Promise<Tools> => ({
  models: await loadModels(),
  templates: templatesOf(glyphs),
});

/** Errors are discarded, since their messages could quote text of the document. */
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
