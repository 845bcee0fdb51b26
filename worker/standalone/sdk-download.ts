import { mkdirSync } from 'node:fs';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * Usage: `sdk-download.ts FOLDER VERSION`. Makes the Temporal SDK download its CLI. The SDK also starts a server, which is
 * stopped at once.
 */
const [downloadDir = '', version = ''] = process.argv.slice(2);
mkdirSync(downloadDir, { recursive: true });
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, ip: '127.0.0.1' },
  });
  await environment.teardown();
} catch (error) {
  // The message repeats the download address several times. Only its last part is the cause.
  console.error(`error: ${String(error).split('): ').at(-1)}`);
  process.exitCode = 1;
}
