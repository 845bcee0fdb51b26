import type { Page } from 'playwright-core';
import { type Movement, type Poses, size } from '../../support/specimens/liveness/poses.ts';

/**
 * Puts a person before the camera who does what the page asks, or what `instead` has for it. The camera is a canvas. A head takes half a second
 * to get there, and is never quite still, and no two pictures have the same noise.
 */
export async function standBefore(
  page: Page,
  poses: Poses,
  instead: Partial<Record<Movement, Movement>> = {},
): Promise<void> {
  await page.addInitScript(before, { poses, instead, size });
}

type Person = {
  poses: Poses;
  instead: Partial<Record<string, Movement>>;
  size: { width: number; height: number };
};

/** Runs in the page. */
function before({ poses, instead, size: { width, height } }: Person): void {
  const decoded = (jpeg: string) =>
    createImageBitmap(new Blob([Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0))]));
  const drawnPoses = Promise.all(
    Object.entries(poses).map(
      async ([movement, jpegs]) => [movement, await Promise.all(jpegs.map(decoded))] as const,
    ),
  ).then((all) => new Map(all));
  let state = 1;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  /** A picture of noise through which what is below it is seen. */
  function grainOf(wide: number, high: number): HTMLCanvasElement {
    const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high });
    const context = canvas.getContext('2d');
    const picture = new ImageData(wide, high);
    for (let at = 0; at < picture.data.length; at += 4)
      picture.data.set(random() < 0.5 ? [0, 0, 0, 12] : [255, 255, 255, 12], at);
    context?.putImageData(picture, 0, 0);
    return canvas;
  }
  navigator.mediaDevices.getUserMedia = async () => {
    const images = await drawnPoses;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    const grain = grainOf(2 * width, 2 * height);
    let [movement, share, lastMs] = ['left', 0, performance.now()];
    const draw = () => {
      const nowMs = performance.now();
      const asked = document.querySelector<HTMLElement>('dialog.camera')?.dataset.movement ?? '';
      const wanted = instead[asked] ?? asked;
      const step = (nowMs - lastMs) / 500;
      lastMs = nowMs;
      if (share === 0 && wanted !== '') movement = wanted;
      share = Math.min(1, Math.max(0, share + (wanted === movement ? step : -step)));
      const list = images.get(movement) ?? [];
      const image = list[Math.round(share * (list.length - 1))];
      const [right, down] = [2 * Math.sin(nowMs / 700), 2 * Math.sin(nowMs / 430)];
      if (image) context?.drawImage(image, right - 3, down - 3, width + 6, height + 6);
      context?.drawImage(grain, -width * random(), -height * random());
      setTimeout(draw, 40);
    };
    draw();
    return canvas.captureStream(25);
  };
}
