import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { assetOf, pageThatTakes } from '../../support/people/capture-page.ts';
import { executable, flags } from '../program.ts';
import { documentFrame } from './frames.ts';

/**
 * Counts how many hints a second the live camera computes, with the processor as it is and throttled six times: `node measure-hints.ts`
 * in this folder. The page and its scripts are those of the product. The camera plays a rendered passport of 1440 × 1920 pixels.
 */
const measuredMs = 10_000;

const page = pageThatTakes('passport_page');
const server = createServer(({ url = '' }, answer) => {
  const asset = assetOf(url);
  answer.setHeader('content-type', asset?.type ?? 'text/html');
  answer.end(asset?.identity ?? page);
}).listen(0);

const folder = await mkdtemp(join(tmpdir(), 'camera-'));
const file = join(folder, 'camera.mjpeg');
const frame = await documentFrame('passport');
await writeFile(file, Buffer.concat([frame, frame]));
const camera = [
  ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  `--use-file-for-fake-video-capture=${file}`,
];
const browser = await chromium.launch({ executablePath: await executable(), args: [...flags, ...camera] });
try {
  const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/verify/x`);
  await tab.click('.open');
  await tab.waitForSelector('.camera .shutter', { state: 'visible' });
  const session = await tab.context().newCDPSession(tab);
  for (const rate of [1, 6]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    const count = await tab.evaluate(async (ms) => {
      let hints = 0;
      document.querySelector('.camera')?.addEventListener('measured', () => hints++);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return hints;
    }, measuredMs);
    console.log(
      `processor throttled ${rate} times: ${(count / (measuredMs / 1_000)).toFixed(1)} hints a second`,
    );
  }
} finally {
  await browser.close();
  server.close();
  await rm(folder, { recursive: true });
}
