import { mkdirSync } from 'node:fs';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/** `sdk-download.ts FOLDER VERSION`: lets the Temporal SDK download its CLI; it starts a server with it, which ends at once. */
const [downloadDir = '', version = ''] = process.argv.slice(2);
mkdirSync(downloadDir, { recursive: true });
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, ip: '127.0.0.1' },
  });
  await environment.teardown();
} catch (error) {
  // The message repeats its address at every level; what matters comes last.
  console.error(`error: ${String(error).split('): ').at(-1)}`);
  process.exitCode = 1;
}
