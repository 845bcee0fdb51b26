import type { Payload } from '@temporalio/common';

/** A value of Temporal in JSON, as in an exported history and in requests to a codec endpoint. All bytes are in base64. */
export type PayloadJson = { metadata?: Record<string, string> | undefined; data?: string | undefined };

export const payloadFromJson = ({ metadata, data }: PayloadJson): Payload => ({
  metadata: eachOf(metadata, (value) => Buffer.from(value, 'base64')),
  data: Buffer.from(data ?? '', 'base64'),
});

export const payloadToJson = ({ metadata, data }: Payload): PayloadJson => ({
  metadata: eachOf(metadata, base64),
  data: base64(data ?? new Uint8Array()),
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const eachOf = <From, To>(values: Record<string, From> | null | undefined, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, change(value)]));
