import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { expect, test } from 'vitest';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { createCodec } from '#platform/temporal/codec.ts';

const older = Buffer.alloc(32, 1);
const newer = Buffer.alloc(32, 2);
const codec = createCodec(createSecrets([older]));
const ofWorkflow = (workflowId: string) => ({ type: 'workflow', namespace: 'default', workflowId }) as const;
const own = ofWorkflow('verification/1');

const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) as Payload;
const decodedValue = (payload: Payload | undefined) => defaultPayloadConverter.fromPayload(payload ?? {});
const textOf = (payload: Payload | undefined) => Buffer.from(payload?.data ?? []).toString();
const encoded = async (value: unknown) => (await codec.encode([payloadOf(value)], own))[0] as Payload;

test.each([{ verificationId: '1' }, ['a list'], 1_234_567])(
  '%j is encrypted, and opened again',
  async (value) => {
    const sealed = await encoded(value);
    expect(textOf(sealed)).not.toContain(JSON.stringify(value));
    expect(decodedValue((await codec.decode([sealed], own))[0])).toEqual(value);
  },
);

test.each([
  ['a summary'],
  [undefined],
  [{ definition: { type: 'verification' }, currentDetails: '**Status**' }],
])('Temporal’s UI can read %j', async (value) => {
  expect(await encoded(value)).toEqual(payloadOf(value));
});

test('a value sealed with an older key is opened, and new values are sealed with the newest', async () => {
  const sealed = await encoded({ a: 1 });
  const rotated = createCodec(createSecrets([newer, older]));
  expect(decodedValue((await rotated.decode([sealed], own))[0])).toEqual({ a: 1 });
  const again = await rotated.encode([payloadOf({ a: 2 })], own);
  await expect(codec.decode(again, own)).rejects.toThrow();
});

const changed = (payload: Payload): Payload => {
  const data = Buffer.from(payload.data ?? []);
  data.writeUInt8(data.readUInt8(data.length - 1) ^ 1, data.length - 1);
  return { ...payload, data };
};
const renamed = (payload: Payload, name: string, value: string): Payload => ({
  ...payload,
  metadata: { ...payload.metadata, [name]: Buffer.from(value) },
});

test.each<[string, (sealed: Payload) => Payload, ReturnType<typeof ofWorkflow>]>([
  ['in clear', () => payloadOf({ a: 1 }), own],
  ['in clear, dressed as a description', () => payloadOf({ definition: {}, a: 1 }), own],
  ['changed', changed, own],
  ['of another workflow', (sealed) => sealed, ofWorkflow('verification/2')],
  [
    'renamed to another workflow',
    (sealed) => renamed(sealed, 'workflow-id', 'verification/2'),
    ofWorkflow('verification/2'),
  ],
  ['with another encoding', (sealed) => renamed(sealed, 'sealed-encoding', 'binary/plain'), own],
  ['cut short', (sealed) => ({ ...sealed, data: sealed.data?.subarray(0, 20) ?? null }), own],
])('a value %s is refused and counted', async (_, forge, context) => {
  let refused = 0;
  const counting = createCodec(createSecrets([older]), () => {
    refused += 1;
  });
  await expect(counting.decode([forge(await encoded({ a: 1 }))], context)).rejects.toThrow();
  expect(refused).toBe(1);
});
