import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Usage: `download.ts URL FILE`. A process of its own, so that its caller can end it when nothing comes any more. */
const [url = '', file = ''] = process.argv.slice(2);
try {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`the answer is ${response.status}`);
  await pipeline(response.body, createWriteStream(file));
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`error: ${cause instanceof Error ? cause.message : message}`);
  process.exitCode = 1;
}
