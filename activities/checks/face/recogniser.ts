import { loadWeights, type Weights } from '../document/masking/weights.ts';
import type { Tensor } from '../networks/onnx.ts';
import { type Chain, type SquareNetwork, squareNetwork } from './chain.ts';

/**
 * The recogniser of dlib, a residual network of 29 convolutions that describes a face by 128 numbers. Its weights are in the package of
 * face-api, and ONNX Runtime runs it (docs/choices/faces.md). The description is used within the program and never leaves it.
 */
export const chipSide = 150;

export async function loadRecogniser(): Promise<SquareNetwork> {
  const weights = await loadWeights('face_recognition_model');
  return squareNetwork(chipSide, 128, (chain) => build(chain, weights));
}

/** The operations of face-api's `FaceRecognitionNet`. */
function build(chain: Chain, weights: Weights): string {
  const { add } = chain;
  const convolve = (input: string, name: string, attributes: Parameters<typeof add>[2]) => {
    const { filters, bias } = scaled(name, weights);
    return add('Conv', [input, chain.keep(filters), chain.keep(bias)], attributes);
  };
  const down = (input: string, name: string) => add('Relu', [convolve(input, name, { strides: [2, 2] })]);
  const same = (input: string, name: string) => convolve(input, name, { pads: [1, 1, 1, 1] });

  const residual = (input: string, name: string) => {
    const first = add('Relu', [same(input, `${name}/conv1`)]);
    return add('Relu', [add('Add', [same(first, `${name}/conv2`), input])]);
  };
  const residualDown = (input: string, name: string, grows: 'wider' | 'smaller' | 'both') => {
    const deep = same(down(input, `${name}/conv1`), `${name}/conv2`);
    const channels = dimsOf(`${name}/conv1/conv/filters`, weights);
    const even =
      grows === 'wider' ? deep : bordered(chain, deep, name, channels.outputs, oddSides[name] ?? 0);
    const pooled = chain.keep(halving(`${name}/pool`, channels));
    return add('Relu', [add('Add', [add('Conv', [input, pooled], { strides: [2, 2] }), even])]);
  };

  let last = add('MaxPool', [down('picture', 'conv32_down')], { kernel_shape: [3, 3], strides: [2, 2] });
  for (const index of [1, 2, 3]) last = residual(last, `conv32_${index}`);
  last = residualDown(last, 'conv64_down', 'wider');
  for (const index of [1, 2, 3]) last = residual(last, `conv64_${index}`);
  last = residualDown(last, 'conv128_down', 'wider');
  for (const index of [1, 2]) last = residual(last, `conv128_${index}`);
  last = residualDown(last, 'conv256_down', 'both');
  for (const index of [1, 2]) last = residual(last, `conv256_${index}`);
  last = residualDown(last, 'conv256_down_out', 'smaller');
  return add('Conv', [add('GlobalAveragePool', [last]), chain.keep(required('fc', weights))]);
}

/** The side of the result of these layers before a border makes it as large as the pooled input. */
const oddSides: Readonly<Record<string, number>> = { conv256_down: 3, conv256_down_out: 1 };

/** Adds a row and a column of zeros at the end. */
function bordered(chain: Chain, input: string, name: string, channels: number, side: number): string {
  const zeros = (part: string, height: number, width: number) =>
    chain.keep({
      name: `${name}/${part}`,
      dims: [1, channels, height, width],
      values: new Float32Array(channels * height * width),
    });
  const higher = chain.add('Concat', [input, zeros('row', 1, side)], { axis: 2 });
  return chain.add('Concat', [higher, zeros('column', side + 1, 1)], { axis: 3 });
}

type Channels = { inputs: number; outputs: number };

/** Halves a picture by means of 2 x 2 places. New channels are zero. */
function halving(name: string, { inputs, outputs }: Channels): Tensor {
  const values = new Float32Array(outputs * inputs * 4);
  for (let channel = 0; channel < inputs; channel++)
    values.fill(0.25, (channel * inputs + channel) * 4, (channel * inputs + channel + 1) * 4);
  return { name, dims: [outputs, inputs, 2, 2], values };
}

/** A convolution is followed by a factor and a sum for each channel. Both are made part of the convolution. */
function scaled(name: string, weights: Weights): { filters: Tensor; bias: Tensor } {
  const [filters, bias] = [required(`${name}/conv/filters`, weights), required(`${name}/conv/bias`, weights)];
  const [factors, sums] = [
    required(`${name}/scale/weights`, weights),
    required(`${name}/scale/biases`, weights),
  ];
  const each = filters.values.length / factors.values.length;
  return {
    filters: {
      ...filters,
      values: filters.values.map((value, index) => value * (factors.values[Math.floor(index / each)] ?? 0)),
    },
    bias: {
      ...bias,
      values: bias.values.map(
        (value, index) => value * (factors.values[index] ?? 0) + (sums.values[index] ?? 0),
      ),
    },
  };
}

function dimsOf(name: string, weights: Weights): Channels {
  const [outputs = 0, inputs = 0] = required(name, weights).dims;
  return { inputs, outputs };
}

function required(name: string, weights: Weights): Tensor {
  const found = weights.get(name);
  if (found === undefined) throw new Error('The network has other weights');
  return found;
}
