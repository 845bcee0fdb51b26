import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';

export const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-quic'],
];

/** The program that CHROMIUM_PATH names, or else Chromium from its npm package. */
export const executable = async (): Promise<string> => process.env.CHROMIUM_PATH ?? (await unpacked());

/**
 * The package unpacks Chromium into the folder for temporary files, and would run a file that somebody else put there. So TMPDIR
 * names a folder of our own while the package unpacks.
 */
async function unpacked(): Promise<string> {
  const folder = fileURLToPath(new URL('node_modules/.chromium', import.meta.url));
  await mkdir(folder, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await sparticuz.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
