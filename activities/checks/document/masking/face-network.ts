import { type Node, onnxFile } from '../../networks/onnx.ts';
import { openNetwork } from '../../networks/run.ts';
import { loadWeights, type Weights } from './weights.ts';

/**
 * The tiny detector of faces of face-api, a network of seven convolutions. Only its weights are taken from the package, and
 * the runtime of the other networks runs it, so that no second runtime for networks is needed (docs/choices/masked-copy.md).
 */

/** Runs the network on three planes of colours from 0 to 255. The result has 25 values for each cell. */
export type FaceNetwork = (planes: Float32Array, width: number, height: number) => Promise<Cells>;
export type Cells = { values: Float32Array; rows: number; columns: number };

/** The mean colours of the pictures with which the network was trained. */
const meanColours = [117.001, 114.697, 97.404];

export async function loadFaceNetwork(): Promise<FaceNetwork> {
  const run = await openNetwork(networkOf(await loadWeights('tiny_face_detector_model')));
  return async (planes, width, height) => {
    const inks = planes.map(
      (value, index) => (value - (meanColours[Math.floor(index / (width * height))] ?? 0)) / 255,
    );
    const { values, dims } = await run(inks, [1, 3, height, width]);
    const [rows = 0, columns = 0] = dims.slice(-2);
    return { values, rows, columns };
  };
}

const leak = 0.1;
const separableConvolutions = 5;

/** The chain of operations of face-api's `TinyYolov2Base.runMobilenet`. */
function networkOf(weights: Weights): Uint8Array {
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
