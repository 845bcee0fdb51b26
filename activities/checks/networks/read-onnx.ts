import protobuf from 'protobufjs/minimal.js';
import type { Network, Numbers, Step, Tensor } from './onnx.ts';

/**
 * Reads a file of the ONNX format, so that its network can be written in another way. The numbers are those of the fields in `onnx.proto`.
 */

/** A field of a message: its number, its content if that is bytes, and the whole of it as it stands in the message. */
type Field = { field: number; content: Uint8Array; whole: Uint8Array };

const ofBytes = 2;
const empty = new Uint8Array();

function fieldsIn(message: Uint8Array): Field[] {
  const reader = protobuf.Reader.create(message);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    const isBytes = (tag & 7) === ofBytes;
    const content = isBytes ? reader.bytes() : empty;
    if (!isBytes) reader.skipType(tag & 7, 0, tag >>> 3);
    fields.push({ field: tag >>> 3, content, whole: message.subarray(from, reader.pos) });
  }
  return fields;
}

const contentsOf = (fields: readonly Field[], wanted: number): Uint8Array[] =>
  fields.filter(({ field }) => field === wanted).map(({ content }) => content);

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

function listIn(tensor: Uint8Array): { dims: number[]; type: number; bytes: Uint8Array } {
  const reader = protobuf.Reader.create(tensor);
  const dims: number[] = [];
  let type = 0;
  let bytes: Uint8Array = empty;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 8) dims.push(reader.uint32());
    else if (tag === 16) type = reader.uint32();
    else if (tag === 74) bytes = reader.bytes();
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  return { dims, type, bytes };
}

/** How long a list of numbers is in each dimension. */
export const dimsIn = (numbers: Numbers | undefined): readonly number[] => {
  if (numbers === undefined) return [];
  return numbers instanceof Uint8Array ? listIn(numbers).dims : numbers.dims;
};

const attributeOf = ({ attributes }: Step, name: string): protobuf.Reader =>
  protobuf.Reader.create(attributes.find((each) => textsOf(fieldsIn(each), 1)[0] === name) ?? empty);

/** The integers of an attribute. */
export function integersOf(step: Step, name: string): number[] {
  const reader = attributeOf(step, name);
  const integers: number[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 64) integers.push(reader.int32());
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  return integers;
}

/** The single number of an attribute. */
export function floatOf(step: Step, name: string): number | undefined {
  const reader = attributeOf(step, name);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 21) return reader.float();
    reader.skipType(tag & 7, 0, tag >>> 3);
  }
  return undefined;
}
