import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Tensor } from '../../networks/onnx.ts';

/** The weights of a network by the names of its author, in the order of dimensions that ONNX expects. */
export type Weights = ReadonlyMap<string, Tensor>;

type Listed = { name: string; shape: number[]; quantization?: { scale: number; min: number } };

/** Reads the weights of a network of face-api from its package, for example of `tiny_face_detector_model`. */
export async function loadWeights(network: string): Promise<Weights> {
  const file = (ending: string) =>
    readFile(fileURLToPath(import.meta.resolve(`@vladmandic/face-api/model/${network}${ending}`)));
  const [manifest, bytes] = await Promise.all([file('-weights_manifest.json'), file('.bin')]);
  return weightsOf(JSON.parse(String(manifest))[0].weights, bytes);
}

const floatBytes = 4;

/**
 * The lists of weights are stored one after the other. Most are stored as bytes, each list with a scale and a least value of its own. The
 * others are stored as floats.
 */
function weightsOf(listed: readonly Listed[], bytes: Uint8Array): Weights {
  const weights = new Map<string, Tensor>();
  let start = 0;
  for (const { name, shape, quantization } of listed) {
    const count = shape.reduce((product, side) => product * side, 1);
    const end = start + count * (quantization === undefined ? floatBytes : 1);
    const stored = Uint8Array.from(bytes.subarray(start, end));
    const values =
      quantization === undefined
        ? new Float32Array(stored.buffer)
        : Float32Array.from(stored, (value) => value * quantization.scale + quantization.min);
    weights.set(name, channelsFirst(name, shape, values));
    start = end;
  }
  return weights;
}

/**
 * TensorFlow stores a filter as rows, columns, inputs, outputs. ONNX expects outputs, inputs, rows, columns. A matrix becomes a filter of
 * one place.
 */
function channelsFirst(name: string, shape: readonly number[], values: Float32Array): Tensor {
  if (shape.length === 1) return { name, dims: shape, values };
  const [rows = 0, columns = 0, inputs = 0, outputs = 0] = shape.length === 2 ? [1, 1, ...shape] : shape;
  const places = rows * columns;
  const turned = new Float32Array(values.length);
  for (let place = 0; place < places; place++)
    for (let i = 0; i < inputs; i++)
      for (let o = 0; o < outputs; o++)
        turned[(o * inputs + i) * places + place] = values[(place * inputs + i) * outputs + o] ?? 0;
  // A depthwise filter has one output for each input.
  const isDepthwise = name.endsWith('depthwise_filter');
  const dims = isDepthwise ? [inputs, 1, rows, columns] : [outputs, inputs, rows, columns];
  return { name, dims, values: turned };
}
