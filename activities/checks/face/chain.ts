import { type Node, onnxFile, type Tensor } from '../networks/onnx.ts';
import { openNetwork } from '../networks/run.ts';

/** Runs a network on a square picture of colours from 0 to 255, plane by plane. */
export type SquareNetwork = (planes: Float32Array) => Promise<Float32Array>;

/** Collects the operations of a network. */
export type Chain = {
  /** Adds an operation and returns the name of its result. */
  add(operation: string, inputs: readonly string[], attributes?: Node['attributes']): string;
  /** Adds numbers and returns their name. */
  keep(tensor: Tensor): string;
};

/** The mean colours of the pictures with which both networks were trained. */
const meanColours = [122.782, 117.001, 104.298] as const;

/**
 * Prepares a network for pictures with the given side. `build` adds its operations, from the input `picture` on, and returns the name of
 * the last result. `size` is the number of values that the network returns.
 */
export async function squareNetwork(
  side: number,
  size: number,
  build: (chain: Chain) => string,
): Promise<SquareNetwork> {
  const nodes: Node[] = [];
  const tensors: Tensor[] = [];
  const last = build({
    add(operation, inputs, attributes = {}) {
      const output = `step${nodes.length}`;
      nodes.push({ operation, inputs, output, attributes });
      return output;
    },
    keep(tensor) {
      tensors.push(tensor);
      return tensor.name;
    },
  });
  const file = onnxFile(nodes, tensors, { name: 'picture', channels: 3 }, { name: last, channels: size });
  const run = await openNetwork(file);
  return async (planes) => {
    const { values } = await run(normal(planes), [1, 3, side, side]);
    if (values.length !== size) throw new Error('The network gave no numbers');
    return values;
  };
}

function normal(planes: Float32Array): Float32Array {
  const count = planes.length / meanColours.length;
  return planes.map((value, index) => (value - (meanColours[Math.floor(index / count)] ?? 0)) / 255);
}
