import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import { type Node, onnxFile, type Tensor as Weights } from './onnx.ts';

/**
 * The tiny detector of faces of face-api, a network of seven convolutions. Only its weights are taken from the package, and
 * onnxruntime-web runs it, so that no second runtime for networks is needed (docs/choices/masked-copy.md).
 */

/** Runs the network on three planes of colours from 0 to 255. The result has 25 values for each cell. */
export type FaceNetwork = (planes: Float32Array, width: number, height: number) => Promise<Cells>;
export type Cells = { values: Float32Array; rows: number; columns: number };

type Listed = {
  name: string;
  shape: number[];
  quantization: { scale: number; min: number };
};

const name = 'tiny_face_detector_model';
const file = (ending: string) =>
  readFile(fileURLToPath(import.meta.resolve(`@vladmandic/face-api/model/${name}${ending}`)));

env.wasm.numThreads = 1;
env.logLevel = 'error';

/** The mean colours of the pictures with which the network was trained. */
const meanColours = [117.001, 114.697, 97.404];

export async function loadFaceNetwork(): Promise<FaceNetwork> {
  const [manifest, bytes] = await Promise.all([file('-weights_manifest.json'), file('.bin')]);
  const network = networkOf(weightsOf(JSON.parse(String(manifest))[0].weights, bytes));
  const session = await InferenceSession.create(network);
  return async (planes, width, height) => {
    const inks = planes.map(
      (value, index) => (value - (meanColours[Math.floor(index / (width * height))] ?? 0)) / 255,
    );
    const { cells } = await session.run({ picture: new Tensor('float32', inks, [1, 3, height, width]) });
    if (!(cells?.data instanceof Float32Array)) throw new Error('The network gave no numbers');
    const [rows = 0, columns = 0] = cells.dims.slice(-2);
    return { values: cells.data, rows, columns };
  };
}

/** The weights are stored as bytes one after the other, each list with a scale and a least value of its own. */
function weightsOf(listed: readonly Listed[], bytes: Uint8Array): Map<string, Weights> {
  const weights = new Map<string, Weights>();
  let start = 0;
  for (const { name, shape, quantization } of listed) {
    const count = shape.reduce((product, side) => product * side, 1);
    const values = Float32Array.from(
      bytes.subarray(start, start + count),
      (value) => value * quantization.scale + quantization.min,
    );
    weights.set(name, channelsFirst(name, shape, values));
    start += count;
  }
  return weights;
}

/** TensorFlow stores a filter as rows, columns, inputs, outputs. ONNX expects outputs, inputs, rows, columns. */
function channelsFirst(name: string, shape: number[], values: Float32Array): Weights {
  if (shape.length === 1) return { name, dims: shape, values };
  const [rows = 0, columns = 0, inputs = 0, outputs = 0] = shape;
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

const leak = 0.1;
const separableConvolutions = 5;

/** The chain of operations of face-api's `TinyYolov2Base.runMobilenet`. */
function networkOf(weights: Map<string, Weights>): Uint8Array {
  const nodes: Node[] = [];
  let last = 'picture';
  const add = (operation: string, more: readonly string[], attributes: Node['attributes'] = {}) => {
    const output = `step${nodes.length}`;
    nodes.push({ operation, inputs: [last, ...more], output, attributes });
    last = output;
  };
  const leaky = () => add('LeakyRelu', [], { alpha: leak });
  const pool = (stride: number) =>
    add('MaxPool', [], { kernel_shape: [2, 2], strides: [stride, stride], auto_pad: 'SAME_UPPER' });

  add('Conv', ['conv0/filters', 'conv0/bias']);
  leaky();
  pool(2);
  for (let index = 1; index <= separableConvolutions; index++) {
    const depthwise = `conv${index}/depthwise_filter`;
    add('Conv', [depthwise], { pads: [1, 1, 1, 1], group: weights.get(depthwise)?.dims[0] ?? 0 });
    add('Conv', [`conv${index}/pointwise_filter`, `conv${index}/bias`]);
    leaky();
    pool(index === separableConvolutions ? 1 : 2);
  }
  add('Conv', ['conv8/filters', 'conv8/bias']);
  const [output] = nodes.splice(-1).map((node) => ({ ...node, output: 'cells' }));
  return onnxFile(
    output === undefined ? nodes : [...nodes, output],
    [...weights.values()],
    { name: 'picture', channels: 3 },
    { name: 'cells', channels: 25 },
  );
}
