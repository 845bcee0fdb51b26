import protobuf from 'protobufjs/minimal.js';

/**
 * Writes a network as a file of the ONNX format, with the few parts of the format that a chain of convolutions needs. The numbers are
 * those of the fields in `onnx.proto`.
 */

type Writer = protobuf.Writer;

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
const message = (field: number, parts: readonly ((to: Writer) => Writer)[]) => bytes(field, written(parts));

function written(parts: readonly ((to: Writer) => Writer)[]): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const part of parts) part(writer);
  return writer.finish();
}

const floats = 1;

const tensorPart = ({ name, dims, values }: Tensor) =>
  message(5, [
    ...dims.map((dim) => whole(1, dim)),
    whole(2, floats),
    text(8, name),
    bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ]);

function attributePart([name, value]: [string, string | number | readonly number[]]) {
  if (typeof value === 'string') return message(5, [text(1, name), text(4, value), whole(20, 3)]);
  if (typeof value === 'number')
    return Number.isInteger(value)
      ? message(5, [text(1, name), whole(3, value), whole(20, 2)])
      : message(5, [text(1, name), float(2, value), whole(20, 1)]);
  return message(5, [text(1, name), ...value.map((each) => whole(8, each)), whole(20, 7)]);
}

const nodePart = ({ operation, inputs, output, attributes = {} }: Node) =>
  message(1, [
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operation),
    ...Object.entries(attributes).map(attributePart),
  ]);

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
  written([
    whole(1, 8),
    message(7, [
      ...nodes.map(nodePart),
      text(2, 'network'),
      ...tensors.map(tensorPart),
      valuePart(11, input.name, input.channels),
      valuePart(12, output.name, output.channels),
    ]),
    message(8, [text(1, ''), whole(2, 13)]),
  ]);
