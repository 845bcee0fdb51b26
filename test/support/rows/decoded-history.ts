import type { PayloadCodec } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { type PayloadJson, payloadFromJson, payloadToJson } from '#platform/temporal/payload-json.ts';

type History = Parameters<typeof historyToJSON>[0];

/** A history with its values decrypted, in the form that `Worker.runReplayHistory` reads and that test/histories keeps. */
export const decodedHistory = (history: History, codec: PayloadCodec): Promise<unknown> =>
  decoded(JSON.parse(historyToJSON(history)), codec);

async function decoded(value: unknown, codec: PayloadCodec): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => decoded(each, codec)));
  if (typeof value !== 'object' || value === null) return value;
  if (isSealed(value)) {
    const [plain] = await codec.decode([payloadFromJson(value)]);
    return payloadToJson(plain ?? {});
  }
  const entries = Object.entries(value).map(async ([name, each]) => [name, await decoded(each, codec)]);
  return Object.fromEntries(await Promise.all(entries));
}

const sealed = Buffer.from('binary/encrypted').toString('base64');
const isSealed = (value: PayloadJson): boolean => value.metadata?.encoding === sealed;
