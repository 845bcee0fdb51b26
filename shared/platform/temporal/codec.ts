import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import type { Secrets } from '../crypto/crypto.ts';

const sealedEncoding = 'binary/encrypted';
const text = new TextDecoder();
const bytes = new TextEncoder();

const metadataOf = ({ metadata }: Payload, name: string): string =>
  text.decode(metadata?.[name] ?? undefined);

/**
 * Encrypts what Temporal stores of a workflow: inputs, results and the arguments of updates (decision 46). A value is bound to the
 * id of its workflow. So whoever reaches Temporal can neither read a value nor make one, nor copy one from another workflow.
 * `refused` is called for a value that the product did not encrypt, and decoding it throws.
 *
 * Texts stay readable, since they are summaries for operators. The product passes no text in an input or a result. The description
 * that a workflow gives of itself in Temporal's UI and an empty value stay readable too.
 */
export function createCodec(secrets: Secrets, refused: () => void = () => undefined): PayloadCodec {
  const seal = (payload: Payload, workflowId: string): Payload => {
    const encoding = metadataOf(payload, 'encoding');
    return {
      metadata: {
        encoding: bytes.encode(sealedEncoding),
        'sealed-encoding': bytes.encode(encoding),
        'workflow-id': bytes.encode(workflowId),
      },
      data: secrets.seal(
        'temporal-payload',
        bindingOf(workflowId, encoding),
        payload.data ?? new Uint8Array(),
      ),
    };
  };

  const open = (payload: Payload, workflowId: string | undefined): Payload => {
    const boundTo = metadataOf(payload, 'workflow-id');
    const encoding = metadataOf(payload, 'sealed-encoding');
    if (metadataOf(payload, 'encoding') !== sealedEncoding || (workflowId ?? boundTo) !== boundTo)
      throw new Error('this value was not encrypted for this workflow');
    const binding = bindingOf(boundTo, encoding);
    const data = secrets.openBytes('temporal-payload', binding, Buffer.from(payload.data ?? []));
    return { metadata: { encoding: bytes.encode(encoding) }, data };
  };

  return {
    encode: async (payloads, context) => {
      const workflowId = workflowIdIn(context) ?? '';
      return payloads.map((payload) =>
        isReadable(payload) || isDescription(payload) ? payload : seal(payload, workflowId),
      );
    },

    decode: async (payloads, context) => {
      const workflowId = workflowIdIn(context);
      try {
        return payloads.map((payload) => (isReadable(payload) ? payload : open(payload, workflowId)));
      } catch (error) {
        refused();
        throw error;
      }
    },
  };
}

const workflowIdIn = (context: SerializationContext | undefined): string | undefined => context?.workflowId;

const bindingOf = (workflowId: string, encoding: string) => `${workflowId}\n${encoding}`;

function isReadable(payload: Payload): boolean {
  const encoding = metadataOf(payload, 'encoding');
  return encoding === 'binary/null' || (encoding === 'json/plain' && startsWith(payload, '"'));
}

const isDescription = (payload: Payload): boolean => startsWith(payload, '{"definition":');

const startsWith = ({ data }: Payload, start: string): boolean =>
  text.decode(data?.subarray(0, start.length) ?? undefined) === start;
