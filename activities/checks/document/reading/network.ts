import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Runs a network on planes of numbers. The result contains the values of its first output, and the sizes of that output. */
export type Run = (
  planes: Float32Array,
  height: number,
  width: number,
) => Promise<{ values: Float32Array; dims: readonly number[] }>;

/**
 * Prepares a network with one input, which is a picture of three planes. `file` is in the ONNX format. It has one
 * thread, since other documents are examined on the other processors.
 */
export async function openNetwork(file: Uint8Array): Promise<Run> {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async (planes, height, width) => {
    const result = (await session.run({ [input]: new Tensor('float32', planes, [1, 3, height, width]) }))[
      output
    ];
    if (!(result?.data instanceof Float32Array)) throw new Error('The network gave no numbers');
    return { values: result.data, dims: result.dims };
  };
}
