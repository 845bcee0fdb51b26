import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Harness } from '../support/harness.ts';
import { executable, flags } from './program.ts';

/** Ends a step that hangs, before the test ends. On a busy machine a page can take many times longer than usual. */
const hangsAfterMs = 100_000;

/**
 * Starts the program that CHROMIUM_PATH names, or else Chromium from its npm package, with further flags. Each visit has its own browser
 * profile.
 */
export function browserOfFile({ url }: Pick<Harness, 'url'>, further: readonly string[] = []) {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: await executable(),
      args: [...flags, ...further],
    });
  });
  afterAll(() => browser?.close());

  /** Opens the page of a path. Until the test ends, it records what should not happen on that page. */
  return async function visit(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(hangsAfterMs);
    const page = await context.newPage();
    const surprises = surprisesOf(page, url);
    await page.goto(url + path);
    return { page, context, surprises };
  };
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

async function expectNoViolation(page: Page, runOnly: axe.RunOnly): Promise<void> {
  const violations = await page.evaluate(async (only) => {
    const judge = (globalThis as unknown as { axe: typeof axe }).axe;
    const found = await judge.run(document, { runOnly: only, resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  }, runOnly);
  expect(violations, await page.title()).toEqual([]);
}

/** Checks what depends on colours alone. `expectAccessible` must have checked the rest of this page. */
export const expectContrast = (page: Page): Promise<void> =>
  expectNoViolation(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks WCAG 2.2 A and AA and good practice with axe. It also checks that nothing is wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  await expectNoViolation(page, { type: 'tag', values: rules });
  const [width = 0, screen = 0] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    innerWidth,
  ]);
  expect(width, `width of ${await page.title()}`).toBeLessThanOrEqual(screen);
}

/** Checks that nobody has to scroll to see the whole of this part of the page. */
export async function expectInView(page: Page, selector: string): Promise<void> {
  const { top, bottom, height } = await page.locator(selector).evaluate((part) => {
    const box = part.getBoundingClientRect();
    return { top: box.top, bottom: box.bottom, height: innerHeight };
  });
  expect(top, `top of ${selector}`).toBeGreaterThanOrEqual(0);
  expect(bottom, `bottom of ${selector}`).toBeLessThanOrEqual(height);
}
