import { loadWeights, type Weights } from '../document/masking/weights.ts';
import type { Tensor } from '../networks/onnx.ts';
import { type Chain, type SquareNetwork, squareNetwork } from './chain.ts';

/** The finder of 68 points of a face of face-api. It returns x and y of each point, as shares of the side of the picture. */
export const landmarkSide = 112;

export async function loadLandmarks(): Promise<SquareNetwork> {
  const weights = await loadWeights('face_landmark_68_model');
  return squareNetwork(landmarkSide, 136, (chain) => build(chain, weights));
}

/** The operations of face-api's `FaceLandmark68Net`. */
function build(chain: Chain, weights: Weights): string {
  const kept = (name: string) => chain.keep(weights.get(name) ?? missing());
  const bias = (name: string) => kept(`${name}/bias`);
  const first = (input: string) =>
    chain.add('Conv', [input, kept('dense0/conv0/filters'), bias('dense0/conv0')], halving);
  const separable = (input: string, name: string, attributes: Parameters<Chain['add']>[2]) => {
    const filter = weights.get(`${name}/depthwise_filter`) ?? missing();
    const group = filter.dims[0] ?? 0;
    const apart = chain.add('Conv', [input, chain.keep(filter)], { ...attributes, group });
    return chain.add('Conv', [apart, kept(`${name}/pointwise_filter`), bias(name)]);
  };
  const relu = (input: string) => chain.add('Relu', [input]);
  const sum = (a: string, b: string) => chain.add('Add', [a, b]);

  const block = (input: string, name: string) => {
    const one = relu(name === 'dense0' ? first(input) : separable(input, `${name}/conv0`, halving));
    const two = separable(one, `${name}/conv1`, same);
    const three = separable(relu(sum(one, two)), `${name}/conv2`, same);
    const three_ = sum(one, sum(two, three));
    const four = separable(relu(three_), `${name}/conv3`, same);
    return relu(sum(three_, four));
  };

  let last = 'picture';
  for (const index of [0, 1, 2, 3]) last = block(last, `dense${index}`);
  const pooled = chain.add('AveragePool', [last], { kernel_shape: [7, 7], strides: [2, 2] });
  return chain.add('Conv', [pooled, kept('fc/weights'), kept('fc/bias')]);
}

const halving = { strides: [2, 2], auto_pad: 'SAME_UPPER' } as const;
const same = { pads: [1, 1, 1, 1] } as const;

const missing = (): Tensor => {
  throw new Error('The network has other weights');
};
