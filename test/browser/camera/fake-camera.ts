import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';

export type FakeCamera = Awaited<ReturnType<typeof fakeCamera>>;

/** Chromium's fake camera, which plays a file. It opens the file each time that the camera starts. */
export async function fakeCamera() {
  const folder = await mkdtemp(join(tmpdir(), 'camera-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'camera.mjpeg');
  return {
    flags: [
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      `--use-file-for-fake-video-capture=${file}`,
    ],
    show: (frame: Buffer) => writeFile(file, Buffer.concat([frame, frame])),
  };
}

export const shutter = '.camera .shutter';
export const hintOf = (page: Page) => page.textContent('.camera .hint');

/** Opens the camera of the page, and waits until it says this hint. */
export async function openOn(page: Page, camera: FakeCamera, frame: Buffer, hint: string): Promise<void> {
  await camera.show(frame);
  await page.click('.open');
  await page.waitForSelector(shutter, { state: 'visible' });
  await expect.poll(() => hintOf(page)).toBe(hint);
}
