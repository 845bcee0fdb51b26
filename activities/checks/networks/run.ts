import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Runs a network on numbers of these sizes. The result contains the values of its first output, and the sizes of that output. */
export type Run = (
  input: Float32Array,
  sizes: readonly number[],
) => Promise<{ values: Float32Array; dims: readonly number[] }>;

/** Prepares a network with one input. `file` is in the ONNX format. It has one thread, since other documents are examined on the other processors. */
export async function openNetwork(file: Uint8Array): Promise<Run> {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async (values, sizes) => {
    const result = (await session.run({ [input]: new Tensor('float32', values, sizes) }))[output];
    if (!(result?.data instanceof Float32Array)) throw new Error('The network gave no numbers');
    return { values: result.data, dims: result.dims };
  };
}
