import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile } from '../browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from '../person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();

test('a photo is shown before it is sent, and a large one leaves smaller than it was', async () => {
  const { page, surprises } = await visit(await linkOf(harness, key, 'document_only'));
  await startWithPassport(page);
  const large = await anyPicture(4000, 3000);
  await pick(page, large);
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('img.preview')?.naturalWidth === 2400,
  );

  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await press(page, 'picture');
  const { 'content-length': length } = await (await sent).allHeaders();
  expect(Number(length)).toBeGreaterThan(0);
  expect(Number(length)).toBeLessThan(large.length * 0.6);
  expect(await heading(page)).toBe(pageTexts.en.confirm.title);
  expect(surprises).toEqual([]);
});

type Visited = Awaited<ReturnType<typeof visit>>['page'];

/** A photo as a camera makes it: 3000 × 2000 pixels that lie on their side. */
const camera = async () =>
  sharp(await anyPicture(3_000, 2_000))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** Opens the page that asks for a passport. */
async function atPassport() {
  const visited = await visit(await linkOf(harness, key, 'document_only'));
  await startWithPassport(visited.page);
  return visited;
}

/** The sides of the picture that is shown before it is sent, and the grey values of its corners and its middle. */
async function shownIn(page: Visited) {
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('img.preview')?.naturalWidth ?? 0) > 0,
  );
  return page.evaluate(() => {
    const image = document.querySelector('img.preview') as HTMLImageElement;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const greyAt = (x: number, y: number) => context?.getImageData(x, y, 1, 1).data[1];
    return {
      sides: [canvas.width, canvas.height],
      corner: greyAt(3, 3),
      middle: greyAt(canvas.width >> 1, canvas.height >> 1),
    };
  });
}

test('a transparent ground becomes white, and what stands on it stays legible', async () => {
  const { page } = await atPassport();
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const ink = await sharp(await anyPicture(1_000, 600))
    .linear(0.2, 0)
    .png()
    .toBuffer();
  const file = sharp({ create: { width: 3_000, height: 2_000, channels: 4, background: clear } }).composite([
    { input: ink, left: 1_000, top: 700 },
  ]);
  for (const [name, buffer] of [
    ['image/png', await file.clone().png().toBuffer()],
    ['image/webp', await file.clone().webp({ lossless: true }).toBuffer()],
  ] as const) {
    await page.setInputFiles('.by-file input', { name: `picture of ${name}`, mimeType: name, buffer });
    const { sides, corner, middle } = await shownIn(page);
    expect(sides, name).toEqual([2_400, 1_600]);
    expect(corner, name).toBeGreaterThan(250);
    expect(middle, name).toBeLessThan(100);
    await page.click('.retake');
  }
});

test('a photo that lies on its side is made smaller and stands upright', async () => {
  const { page } = await atPassport();
  await pick(page, await camera());
  expect((await shownIn(page)).sides).toEqual([1_600, 2_400]);
});

/** What browsers with privacy settings, and old ones, do differently. */
const browsers: Record<string, (page: Visited) => Promise<unknown>> = {
  'a canvas that gives noise': (page) =>
    page.evaluate(() => {
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done, ...how) {
        const noise = document.createElement('canvas');
        [noise.width, noise.height] = [this.width, this.height];
        const context = noise.getContext('2d') as CanvasRenderingContext2D;
        // Coarse, so that it is smaller than the photo.
        for (let x = 0; x < noise.width; x += 20)
          for (let y = 0; y < noise.height; y += 20) {
            context.fillStyle = `hsl(0 0% ${(x * y * 7_919) % 101}%)`;
            context.fillRect(x, y, 20, 20);
          }
        toBlob.call(noise, done, ...how);
      };
    }),
  'a canvas that gives white': (page) =>
    page.evaluate(() => {
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done, ...how) {
        const white = document.createElement('canvas');
        [white.width, white.height] = [this.width, this.height];
        const context = white.getContext('2d') as CanvasRenderingContext2D;
        context.fillStyle = 'white';
        context.fillRect(0, 0, white.width, white.height);
        toBlob.call(white, done, ...how);
      };
      CanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) =>
        new ImageData(new Uint8ClampedArray(4 * width * height).fill(255), width, height);
    }),
  'a decoder that does not turn a photo upright': (page) =>
    page.evaluate(() => {
      const decode = globalThis.createImageBitmap;
      const unturned = async (source: Blob) => {
        const bytes = new Uint8Array(await source.arrayBuffer());
        // Without its name, nobody reads what the camera wrote.
        const at = bytes.findIndex((_, i) => String.fromCharCode(...bytes.subarray(i, i + 4)) === 'Exif');
        if (at !== -1) bytes.fill(0, at, at + 4);
        return decode(new Blob([bytes], { type: source.type }));
      };
      globalThis.createImageBitmap = unturned as typeof createImageBitmap;
    }),
};

test.each(Object.entries(browsers))('with %s, the photo is sent as it is', async (_, change) => {
  const { page } = await atPassport();
  await change(page);
  const photo = await camera();
  await pick(page, photo);
  expect((await shownIn(page)).sides).toEqual([2_000, 3_000]);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await press(page, 'picture');
  const { 'content-length': length } = await (await sent).allHeaders();
  expect(Number(length)).toBeGreaterThan(photo.length);
  expect(Number(length)).toBeLessThan(photo.length + 1_000);
  expect(await heading(page)).toBe(pageTexts.en.confirm.title);
});

test('a choice that a script tells of several times is made smaller once', async () => {
  const { page } = await atPassport();
  await page.evaluate(() => {
    const counted = globalThis as unknown as { encoded: number };
    counted.encoded = 0;
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (...how) {
      if (this.width > 1_000) counted.encoded++;
      toBlob.call(this, ...how);
    };
    const input = document.querySelector('.by-file input') as HTMLInputElement;
    // As an extension does: the choice stays readable, and each reading or writing fires the event again.
    let file: File | undefined;
    input.addEventListener(
      'change',
      () => {
        file ??= input.files?.[0];
        const files = new DataTransfer();
        if (file) files.items.add(new File([file], file.name, file));
        Object.defineProperty(input, 'files', { configurable: true, get: () => files.files });
      },
      { capture: true },
    );
    Object.defineProperty(input, 'value', {
      configurable: true,
      get: () => 'C:\\fakepath\\picture.jpg',
      set: () => void setTimeout(() => input.dispatchEvent(new Event('change')), 20),
    });
  });
  await pick(page, await anyPicture(3_000, 2_000));
  expect((await shownIn(page)).sides).toEqual([2_400, 1_600]);
  for (let again = 0; again < 3; again++) await page.dispatchEvent('.by-file input', 'change');
  await page.waitForTimeout(500);
  expect(await page.evaluate(() => (globalThis as unknown as { encoded: number }).encoded)).toBe(1);

  await page.click('.retake');
  await page.dispatchEvent('.by-file input', 'change');
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { encoded: number }).encoded))
    .toBe(2);
});
