import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import type { Harness } from '../support/harness.ts';

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-quic'],
];

/** Starts the program that CHROMIUM_PATH names, or else Chromium from its npm package. Each visit has its own browser profile. */
export function browserOfFile({ url }: Harness) {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = process.env.CHROMIUM_PATH ?? (await unpacked());
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterAll(() => browser?.close());

  /** Opens the page of a path. Until the test ends, it records what should not happen on that page. */
  return async function visit(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const surprises = surprisesOf(page, url);
    await page.goto(url + path);
    return { page, surprises };
  };
}

/**
 * The package unpacks Chromium into the folder for temporary files, and would run a file that somebody else put there. So TMPDIR
 * names a folder of our own while the package unpacks.
 */
async function unpacked(): Promise<string> {
  const folder = fileURLToPath(new URL('node_modules/.chromium', import.meta.url));
  await mkdir(folder, { recursive: true });
  vi.stubEnv('TMPDIR', folder);
  try {
    return await sparticuz.executablePath();
  } finally {
    vi.unstubAllEnvs();
  }
}

/**
 * Records script errors, all output on the console, and requests to other origins. The console also shows refusals by the content
 * security policy.
 */
function surprisesOf(page: Page, origin: string): string[] {
  const surprises: string[] = [];
  page.on('console', (message) => surprises.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => surprises.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== 'blob:' && protocol !== 'data:') surprises.push(request.url());
  });
  return surprises;
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks WCAG 2.2 A and AA and good practice with axe. It also checks that nothing is wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (values) => {
    const judge = (globalThis as unknown as { axe: typeof axe }).axe;
    const found = await judge.run(document, { runOnly: { type: 'tag', values } });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  }, rules);
  expect(violations, await page.title()).toEqual([]);
  const [width = 0, screen = 0] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    innerWidth,
  ]);
  expect(width, `width of ${await page.title()}`).toBeLessThanOrEqual(screen);
}
