import protobuf from 'protobufjs/minimal.js';

/**
 * Writes a network as a file of the ONNX format, with the few parts of the format that networks of convolutions need. The numbers are those
 * of the fields in `onnx.proto`.
 */

type Writer = protobuf.Writer;
type Part = (to: Writer) => Writer;

export type Tensor = { name: string; dims: readonly number[]; values: Float32Array };
export type Node = {
  operation: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, string | number | readonly number[]>>;
};

const text = (field: number, value: string) => (to: Writer) => to.uint32((field << 3) | 2).string(value);
const whole = (field: number, value: number) => (to: Writer) => to.uint32(field << 3).int64(value);
const float = (field: number, value: number) => (to: Writer) => to.uint32((field << 3) | 5).float(value);
const bytes = (field: number, value: Uint8Array) => (to: Writer) => to.uint32((field << 3) | 2).bytes(value);
const raw = (part: Uint8Array) => (to: Writer) => to.raw(part);
const all = (parts: readonly Part[]) => (to: Writer) => parts.reduce((writer, part) => part(writer), to);
const message = (field: number, parts: readonly Part[]) => (to: Writer) =>
  all(parts)(to.uint32((field << 3) | 2).fork()).ldelim();

const written = (parts: readonly Part[]): Uint8Array => all(parts)(protobuf.Writer.create()).finish();

const floats = 1;

/** Numbers by themselves, or as they stand in a file. */
export type Numbers = Omit<Tensor, 'name'> | Uint8Array;

/** Of two names of a tensor, the second one counts. */
const tensorPart = ([name, numbers]: readonly [string, Numbers]) =>
  message(5, [numbers instanceof Uint8Array ? raw(numbers) : all(partsOf(numbers)), text(8, name)]);

const partsOf = ({ dims, values }: Omit<Tensor, 'name'>): Part[] => [
  ...dims.map((dim) => whole(1, dim)),
  whole(2, floats),
  bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
];

/** A number without a fraction becomes an integer. */
function attributeOf([name, value]: [string, string | number | readonly number[]]): Uint8Array {
  if (typeof value === 'string') return written([text(1, name), text(4, value), whole(20, 3)]);
  if (typeof value === 'number')
    return Number.isInteger(value)
      ? written([text(1, name), whole(3, value), whole(20, 2)])
      : written([text(1, name), float(2, value), whole(20, 1)]);
  return written([text(1, name), ...value.map((each) => whole(8, each)), whole(20, 7)]);
}

/** An operation as it stands in a file. Its attributes are parts of the file. */
export type Step = { operation: string; inputs: string[]; outputs: string[]; attributes: Uint8Array[] };

export const stepOf = ({ operation, inputs, output, attributes = {} }: Node): Step => ({
  operation,
  inputs: [...inputs],
  outputs: [output],
  attributes: Object.entries(attributes).map(attributeOf),
});

const stepPart = ({ operation, inputs, outputs, attributes }: Step) =>
  message(1, [
    ...inputs.map((input) => text(1, input)),
    ...outputs.map((output) => text(2, output)),
    text(4, operation),
    ...attributes.map((attribute) => bytes(5, attribute)),
  ]);

/**
 * A network as it stands in a file: its steps in their order, its numbers by name, and two parts of the file: the inputs and outputs, and the
 * versions of the operations.
 */
export type Network = {
  steps: Step[];
  numbers: Map<string, Numbers>;
  ends: Uint8Array;
  versions: Uint8Array;
};

/** Numbers that no step takes are left out. */
export function networkFile({ steps, numbers, ends, versions }: Network): Uint8Array {
  const taken = new Set(steps.flatMap(({ inputs }) => inputs));
  return written([
    whole(1, 8),
    message(7, [
      text(2, 'network'),
      ...steps.map(stepPart),
      ...[...numbers].filter(([name]) => taken.has(name)).map(tensorPart),
      raw(ends),
    ]),
    raw(versions),
  ]);
}

/** A picture or a map of features. Only the number of its channels is fixed. */
const valuePart = (field: number, name: string, channels: number) =>
  message(field, [
    text(1, name),
    message(2, [
      message(1, [
        whole(1, floats),
        message(2, [
          message(1, [whole(1, 1)]),
          message(1, [whole(1, channels)]),
          message(1, [text(2, `${name} height`)]),
          message(1, [text(2, `${name} width`)]),
        ]),
      ]),
    ]),
  ]);

type Value = { name: string; channels: number };

/** Returns the file of a network with one input and one output. */
export const onnxFile = (
  nodes: readonly Node[],
  tensors: readonly Tensor[],
  input: Value,
  output: Value,
): Uint8Array =>
  networkFile({
    steps: nodes.map(stepOf),
    numbers: new Map(tensors.map((tensor) => [tensor.name, tensor])),
    ends: written([valuePart(11, input.name, input.channels), valuePart(12, output.name, output.channels)]),
    versions: written([message(8, [text(1, ''), whole(2, 13)])]),
  });
