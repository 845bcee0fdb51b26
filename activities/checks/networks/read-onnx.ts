import protobuf from 'protobufjs/minimal.js';
import type { Network, Numbers, Step, Tensor } from './onnx.ts';

/**
 * Reads a file of the ONNX format, so that its network can be written in another way. The numbers are those of the fields in `onnx.proto`.
 */

/** A field of a message: its content, as bytes or as a number, and the whole of it as it stands in the message. */
type Field = { field: number; content: Uint8Array; number: number; whole: Uint8Array };

const empty = new Uint8Array();

function fieldsIn(message: Uint8Array): Field[] {
  const reader = protobuf.Reader.create(message);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    const [content, number] = contentIn(reader, tag);
    fields.push({ field: tag >>> 3, content, number, whole: message.subarray(from, reader.pos) });
  }
  return fields;
}

/** A field has an integer, bytes, a float, or something that no network of ours needs. */
function contentIn(reader: protobuf.Reader, tag: number): [Uint8Array, number] {
  const type = tag & 7;
  if (type === 0) return [empty, reader.int32()];
  if (type === 2) return [reader.bytes(), Number.NaN];
  if (type === 5) return [empty, reader.float()];
  reader.skipType(type, 0, tag >>> 3);
  return [empty, Number.NaN];
}

const contentsOf = (fields: readonly Field[], wanted: number): Uint8Array[] =>
  fields.filter(({ field }) => field === wanted).map(({ content }) => content);

const numbersOf = (fields: readonly Field[], wanted: number): number[] =>
  fields.filter(({ field }) => field === wanted).map(({ number }) => number);

const textsOf = (fields: readonly Field[], wanted: number): string[] =>
  contentsOf(fields, wanted).map((content) => Buffer.from(content).toString());

const wholesOf = (fields: readonly Field[], wanted: readonly number[]): Uint8Array =>
  Buffer.concat(fields.filter(({ field }) => wanted.includes(field)).map(({ whole }) => whole));

/** Throws if the file has no network. Steps that only give numbers become numbers. */
export function networkIn(file: Uint8Array): Network {
  const model = fieldsIn(file);
  const [graph] = contentsOf(model, 7);
  if (graph === undefined) throw new Error('The file has no network');
  const fields = fieldsIn(graph);
  const numbers = new Map<string, Numbers>();
  for (const tensor of contentsOf(fields, 5)) numbers.set(textsOf(fieldsIn(tensor), 8)[0] ?? '', tensor);
  const steps: Step[] = [];
  for (const step of contentsOf(fields, 1).map(stepIn)) {
    const constant = step.operation === 'Constant' ? tensorIn(step) : undefined;
    if (constant === undefined) steps.push(step);
    else numbers.set(step.outputs[0] ?? '', constant);
  }
  return { steps, numbers, ends: wholesOf(fields, [11, 12]), versions: wholesOf(model, [8]) };
}

function stepIn(file: Uint8Array): Step {
  const fields = fieldsIn(file);
  const [operation = ''] = textsOf(fields, 4);
  return {
    operation,
    inputs: textsOf(fields, 1),
    outputs: textsOf(fields, 2),
    attributes: contentsOf(fields, 5),
  };
}

const tensorIn = ({ attributes }: Step): Uint8Array | undefined =>
  attributes.flatMap((attribute) => contentsOf(fieldsIn(attribute), 5))[0];

/** The names of the results of a network. */
export const resultsOf = ({ ends }: Pick<Network, 'ends'>): string[] =>
  contentsOf(fieldsIn(ends), 12).flatMap((value) => textsOf(fieldsIn(value), 1));

/** How long the list of numbers is in each dimension, and its numbers. Undefined if it is no plain list of floats. */
export function floatsIn(numbers: Numbers | undefined): Omit<Tensor, 'name'> | undefined {
  if (!(numbers instanceof Uint8Array)) return numbers;
  const { dims, type, bytes } = listIn(numbers);
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (type !== floatType || bytes.length !== 4 * count) return undefined;
  // The bytes may begin at any place of the file, and floats may not.
  return { dims, values: new Float32Array(new Uint8Array(bytes).buffer) };
}

const floatType = 1;

function listIn(tensor: Uint8Array) {
  const fields = fieldsIn(tensor);
  const [type] = numbersOf(fields, 2);
  const [bytes = empty] = contentsOf(fields, 9);
  return { dims: numbersOf(fields, 1), type, bytes };
}

/** How long a list of numbers is in each dimension. */
export const dimsIn = (numbers: Numbers | undefined): readonly number[] => {
  if (numbers === undefined) return [];
  return numbers instanceof Uint8Array ? listIn(numbers).dims : numbers.dims;
};

const attributeOf = ({ attributes }: Step, name: string): Field[] =>
  attributes.map(fieldsIn).find((fields) => textsOf(fields, 1)[0] === name) ?? [];

/** The integers of an attribute. */
export const integersOf = (step: Step, name: string): number[] => numbersOf(attributeOf(step, name), 8);

/** The single number of an attribute. */
export const floatOf = (step: Step, name: string): number | undefined =>
  numbersOf(attributeOf(step, name), 2)[0];
