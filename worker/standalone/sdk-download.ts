import { mkdirSync } from 'node:fs';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/** `sdk-download.ts FOLDER VERSION`: the Temporal SDK downloads its CLI. It also starts a server, which is stopped at once. */
const [downloadDir = '', version = ''] = process.argv.slice(2);
mkdirSync(downloadDir, { recursive: true });
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, ip: '127.0.0.1' },
  });
  await environment.teardown();
} catch (error) {
  // The message repeats the download address several times. Its last part is the cause.
  console.error(`error: ${String(error).split('): ').at(-1)}`);
  process.exitCode = 1;
}
